// SPDX-License-Identifier: MIT
#include "fix_wall_gran_jager.h"

#include "compat.h"
#include "rounding.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "update.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;
using namespace FixConst;

static const double PI = 3.14159265358979323846;

// ---- The command ----------------------------------------------------------------------------------------------------

FixWallGranJager::FixWallGranJager(LAMMPS *engine, int narg, char **arg)
    : Fix(engine, narg, arg), law(), axis(0), has_side(), position(), motion(STILL), motion_axis(0), amplitude(0.0),
      period(1.0), speed(0.0), start(update->ntimestep), pool(jager_pool_create(0)), own(), sums(),
      sums_are_valid(false), has_restiffened(false), has_warned(false)
{
  if (!pool)
    error->one(FLERR, std::string("Fix wall/gran/jager: out of memory"));
  jager_lammps::LawReader reader(lmp, "fix wall/gran/jager", narg - 3, arg + 3);
  law = reader.read().law(lmp, "Illegal fix wall/gran/jager command");
  read_planes(reader);
  read_motion(reader);
  restart_global = restart_peratom = 1;
  create_attribute = 1;
  vector_flag = 1;
  size_vector = SUM_COUNT;
  global_freq = 1;
  extvector = 0;
  maxexchange_dynamic = 1;
  FixWallGranJager::grow_arrays(atom->nmax);
  atom->add_callback(Atom::GROW);
  atom->add_callback(Atom::RESTART);
}

FixWallGranJager::~FixWallGranJager()
{
  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
  jager_pool_destroy(pool);
}

void FixWallGranJager::read_planes(jager_lammps::LawReader &reader)
{
  const std::string name = reader.word("xplane, yplane or zplane");
  if (name.size() != 6 || name.substr(1) != "plane" || name[0] < 'x' || name[0] > 'z')
    reader.fail("'" + name + "' where xplane, yplane or zplane is needed, or an unknown keyword");
  axis = name[0] - 'x';
  has_side[LO] = reader.number_or_null("the place of the lower wall", position[LO]);
  has_side[HI] = reader.number_or_null("the place of the upper wall", position[HI]);
  if (!has_side[LO] && !has_side[HI])
    reader.fail("one of the two walls must not be NULL");
  if (has_side[LO] && has_side[HI] && !(position[LO] < position[HI]))
    reader.fail("the lower wall must be below the upper one");
}

void FixWallGranJager::read_motion(jager_lammps::LawReader &reader)
{
  if (!reader.has_more())
    return;
  const std::string name = reader.word(""), dimension = reader.word("x, y or z");
  if (name != "wiggle" && name != "shear")
    reader.fail("unknown keyword '" + name + "': only wiggle or shear may follow the walls");
  if (dimension.size() != 1 || dimension[0] < 'x' || dimension[0] > 'z')
    reader.fail("'" + dimension + "' where x, y or z is needed");
  motion_axis = dimension[0] - 'x';
  time_depend = 1; // LAMMPS refuses reset_timestep, by which the wall would jump
  if (name == "wiggle") {
    motion = WIGGLE;
    amplitude = reader.number("the amplitude");
    period = reader.number("the period");
    if (!(period > 0.0))
      reader.fail("the period must be positive");
  } else {
    motion = SHEAR;
    speed = reader.number("the speed");
    if (motion_axis == axis)
      reader.fail("walls are sheared across their normal");
  }
  if (reader.has_more())
    reader.fail("unexpected '" + reader.word("") + "'");
}

int FixWallGranJager::setmask()
{
  return PRE_EXCHANGE | POST_FORCE | POST_RUN;
}

void FixWallGranJager::init()
{
  if (!jager_compat::can_touch(atom))
    error->all(FLERR,
               std::string("Fix wall/gran/jager requires atom attributes radius, rmass, omega, torque: use atom_style "
                           "sphere"));
  const int periodic[3] = {domain->xperiodic, domain->yperiodic, domain->zperiodic};
  if (periodic[axis])
    error->all(FLERR, std::string("Fix wall/gran/jager: the box is periodic across the wall"));
  if (update->whichflag == 2)
    error->all(FLERR, std::string("Fix wall/gran/jager cannot be used with minimize: its forces depend on the path"));
  if (strncmp(update->integrate_style, "respa", 5) == 0)
    error->all(FLERR, std::string("Fix wall/gran/jager cannot be used with r-RESPA: use run_style verlet"));
}

void FixWallGranJager::setup(int vflag)
{
  post_force(vflag);
}

// ---- Forces ---------------------------------------------------------------------------------------------------------

// The displacement of the wall material since the start. Walls wiggle as A (1 - cos(2π t/T)), like those of LAMMPS.
void FixWallGranJager::wall_shift(bigint timestep, double *shift) const
{
  const double time = static_cast<double>(timestep - start) * update->dt;
  shift[0] = shift[1] = shift[2] = 0.0;
  if (motion == WIGGLE)
    shift[motion_axis] = amplitude * (1.0 - cos(2.0 * PI * time / period));
  else if (motion == SHEAR)
    shift[motion_axis] = speed * time;
}

void FixWallGranJager::check(jager_status status, int i) const
{
  if (status != JAGER_OK)
    error->one(FLERR, "Fix wall/gran/jager: the contact of atom " + std::to_string(atom->tag[i]) +
                          " cannot be moved in step " + std::to_string(update->ntimestep) + ": " +
                          jager_status_text(status));
}

void FixWallGranJager::part(int &number)
{
  if (number == NONE)
    return;
  jager_contact_release(&contacts[number].contact, pool);
  vacant.push_back(number);
  number = NONE;
}

// Makes a new contact. `moved` is the displacement of the wall relative to the centre in this step.
int FixWallGranJager::touch(int i, int side, const double *branch, const double *moved)
{
  if (vacant.empty()) {
    vacant.push_back(static_cast<int>(contacts.size()));
    contacts.emplace_back();
  }
  const int number = vacant.back();
  WallContact &c = contacts[number];
  vacant.pop_back();
  c = WallContact();
  const double sign = side == LO ? -1.0 : 1.0, distance = sign * branch[axis], before = distance - sign * moved[axis];
  const double gap = update->setupflag ? 0.0 : before - atom->radius[i], none[2] = {0.0, 0.0};
  check(jager_contact_init(&c.contact, &law.contact, atom->radius[i], INFINITY), i);
  check(jager_contact_move(&c.contact, &law.contact, pool, gap > 0.0 ? -0.5 * gap : 0.5 * (atom->radius[i] - distance),
                           none, nullptr),
        i);
  check(jager_frame_init(&c.state.frame, branch), i);
  c.state.radius = atom->radius[i];
  return number;
}

// If the radius has changed, the contact keeps its history and takes the new stiffness.
void FixWallGranJager::restiffen(int i, WallContact &c)
{
  if (c.state.radius == atom->radius[i])
    return;
  check(jager_contact_restiffen(&c.contact, &law.contact, atom->radius[i], INFINITY), i);
  c.state.radius = atom->radius[i];
  has_restiffened = true;
}

void FixWallGranJager::move(int i, int number, const jager_step &step)
{
  WallContact &c = contacts[number];
  // Half the overlap before the step, with the present radius, so that growth causes no force of the dashpots
  const double before = jager_contact_zeta(&c.contact) + 0.5 * (atom->radius[i] - c.state.radius);
  restiffen(i, c);
  jager_movement movement;
  jager_force spring;
  check(jager_frame_step(&c.state.frame, &step, &movement), i);
  check(jager_contact_move(&c.contact, &law.contact, pool, movement.zeta, movement.dxi, &spring), i);
  if (!(law.dashpot.factor > 0.0))
    return;
  if (update->setupflag) { // as in the pair style: this takes no time, and dashpots keep what they can of their forces
    c.state.dashpot[0] = std::max(c.state.dashpot[0], -spring.fn);
    if (jager_contact_state(&c.contact) == JAGER_STATE_SLIDE)
      c.state.dashpot[1] = c.state.dashpot[2] = 0.0;
    return;
  }
  const jager_dashpot_force damping =
      jager_dashpot_damp(law.dashpot, atom->rmass[i], update->dt > 0.0 ? 1.0 / update->dt : 0.0, spring.fn, before,
                         movement.zeta, movement.dxi, jager_contact_state(&c.contact) == JAGER_STATE_SLIDE);
  c.state.dashpot[0] = damping.fn;
  c.state.dashpot[1] = damping.ft[0];
  c.state.dashpot[2] = damping.ft[1];
}

// The relative movement since the last step. For a new contact it is computed from the velocities.
jager_step FixWallGranJager::step_of(int i, int number, const double *branch, const double *place) const
{
  jager_step step = jager_step();
  double now[3] = {0.0, 0.0, 0.0}, before[3] = {0.0, 0.0, 0.0};
  if (number == NONE) {
    wall_shift(update->ntimestep, now);
    wall_shift(update->ntimestep - 1, before);
  }
  for (int d = 0; d < 3; d++) {
    step.branch[d] = branch[d];
    step.shift[d] =
        number == NONE ? now[d] - before[d] - atom->v[i][d] * update->dt : place[d] - contacts[number].state.place[d];
    step.spin_p[d] = update->setupflag ? 0.0 : atom->omega[i][d] * update->dt;
  }
  // The sphere may have crossed a periodic boundary.
  jager_compat::minimum_image(domain, step.shift, jager_compat::first());
  step.radius_p = atom->radius[i];
  step.radius_q = INFINITY;
  return step;
}

void FixWallGranJager::apply(int i, int side, const WallContact &c)
{
  jager_force total = jager_contact_force(&c.contact);
  double on_wall[3], torque[3], none[3];
  total.fn += c.state.dashpot[0];
  total.ft[0] += c.state.dashpot[1];
  total.ft[1] += c.state.dashpot[2];
  jager_frame_force(&c.state.frame, &total, on_wall);
  jager_frame_torques(&c.state.frame, &total, jager_contact_zeta(&c.contact), atom->radius[i], INFINITY, torque, none);
  for (int d = 0; d < 3; d++) {
    atom->f[i][d] -= on_wall[d];
    atom->torque[i][d] += torque[d];
    own[(side == LO ? FORCE_LO : FORCE_HI) + d] += on_wall[d];
  }
  own[CONTACTS] += 1.0;
  own[POINTS] += jager_contact_length(&c.contact);
}

// In the setup of a run, an existing contact makes the movement by which the input script has moved its sphere since
// the last run, as in the pair style.
void FixWallGranJager::settle(int i, int side, const double *branch, const double *place)
{
  int &number = numbers[SIDES * i + side];
  const double *pending = contacts[number].state.pending, rounding = jager_lammps::rounding_of(domain);
  double branch_now[3], place_now[3];
  for (int d = 0; d < 3; d++) {
    branch_now[d] = d == axis ? branch[d] - pending[d] : 0.0;
    place_now[d] = place[d] - pending[d];
  }
  const jager_step step = step_of(i, number, branch_now, place_now);
  if (contacts[number].state.radius != atom->radius[i] || fabs(step.shift[0]) > rounding ||
      fabs(step.shift[1]) > rounding || fabs(step.shift[2]) > rounding) {
    if (fabs(branch_now[axis]) >= atom->radius[i]) {
      part(number);
      return;
    }
    move(i, number, step);
    std::copy(place_now, place_now + 3, contacts[number].state.place);
  }
  apply(i, side, contacts[number]);
}

// Adds the force of the wall on sphere i, if they touch. `branch` points from the centre to the wall.
void FixWallGranJager::push(int i, int side, const double *branch, const double *place)
{
  int &number = numbers[SIDES * i + side];
  if (update->setupflag && number != NONE) {
    settle(i, side, branch, place);
    return;
  }
  if (fabs(branch[axis]) >= atom->radius[i]) {
    part(number);
    return;
  }
  const jager_step step = step_of(i, number, branch, place);
  if (number == NONE)
    number = touch(i, side, branch, step.shift);
  if (!update->setupflag)
    move(i, number, step);
  std::copy(place, place + 3, contacts[number].state.place);
  apply(i, side, contacts[number]);
}

// The vector from the centre of sphere i to the wall, and the place of the material of the wall relative to the centre.
// `shift`: the displacement of the wall.
void FixWallGranJager::place_of(int i, int side, const double *shift, double *branch, double *place) const
{
  branch[0] = branch[1] = branch[2] = 0.0;
  branch[axis] = position[side] + shift[axis] - atom->x[i][axis];
  for (int d = 0; d < 3; d++)
    place[d] = shift[d] - atom->x[i][d];
}

// Finds how far spheres have moved since the forces of the last step, at the end of a run.
void FixWallGranJager::measure_pending()
{
  double shift[3], branch[3], place[3];
  wall_shift(update->ntimestep, shift);
  for (int i = 0; i < atom->nlocal; i++)
    for (int side = 0; side < SIDES; side++) {
      const int number = numbers[SIDES * i + side];
      if (number == NONE)
        continue;
      State &state = contacts[number].state;
      place_of(i, side, shift, branch, place);
      for (int d = 0; d < 3; d++)
        state.pending[d] = place[d] - state.place[d];
      jager_compat::minimum_image(domain, state.pending, jager_compat::first());
    }
}

// Most spheres are far from the wall: they cost a comparison each.
void FixWallGranJager::push_all(int side, const double *shift)
{
  const double plane = position[side] + shift[axis], *x = atom->x[0] + axis, *radius = atom->radius;
  const int *number = numbers.data() + side, *mask = atom->mask;
  double branch[3], place[3];
  for (int i = 0, count = atom->nlocal; i < count; i++)
    if ((fabs(plane - x[3 * i]) < radius[i] || number[SIDES * i] != NONE) && (mask[i] & groupbit)) {
      place_of(i, side, shift, branch, place);
      push(i, side, branch, place);
    }
}

void FixWallGranJager::post_force(int)
{
  double shift[3];
  wall_shift(update->ntimestep, shift);
  std::fill(own, own + SUM_COUNT, 0.0);
  sums_are_valid = false;
  for (int side = 0; side < SIDES && atom->nlocal > 0; side++)
    if (has_side[side])
      push_all(side, shift);
}

// ---- Atoms that migrate, are added or deleted -----------------------------------------------------------------------

void FixWallGranJager::grow_arrays(int nmax)
{
  numbers.resize(SIDES * static_cast<size_t>(nmax), NONE);
}

void FixWallGranJager::copy_arrays(int i, int j, int)
{
  for (int side = 0; side < SIDES; side++) {
    part(numbers[SIDES * j + side]);
    std::swap(numbers[SIDES * j + side], numbers[SIDES * i + side]);
  }
}

void FixWallGranJager::set_arrays(int i)
{
  for (int side = 0; side < SIDES; side++)
    part(numbers[SIDES * i + side]);
}

// A packed atom is an array of doubles: their number, its tag as an integer (ubuf); then for each side the number of
// doubles, the state and the packed contact.
int FixWallGranJager::side_doubles(int number) const
{
  if (number == NONE)
    return 0;
  const size_t bytes = sizeof(State) + jager_contact_pack_size(&contacts[number].contact);
  return static_cast<int>((bytes + sizeof(double) - 1) / sizeof(double));
}

int FixWallGranJager::atom_doubles(int i) const
{
  return ATOM_HEAD + SIDES + side_doubles(numbers[SIDES * i + LO]) + side_doubles(numbers[SIDES * i + HI]);
}

int FixWallGranJager::pack_atom(int i, double *buf) const
{
  const int state = sizeof(State) / sizeof(double);
  int m = ATOM_HEAD;
  for (int side = 0; side < SIDES; side++) {
    const int number = numbers[SIDES * i + side], size = side_doubles(number);
    buf[m++] = size;
    if (size == 0)
      continue;
    buf[m + size - 1] = 0.0; // the packed contact may end within the last double
    memcpy(buf + m, &contacts[number].state, sizeof(State));
    check(jager_contact_pack(&contacts[number].contact, buf + m + state, (size - state) * sizeof(double)), i);
    m += size;
  }
  buf[0] = m;
  buf[1] = ubuf(atom->tag[i]).d;
  return m;
}

int FixWallGranJager::unpack_atom(int i, const double *buf)
{
  const int state = sizeof(State) / sizeof(double);
  int m = ATOM_HEAD;
  for (int side = 0; side < SIDES; side++) {
    const int size = static_cast<int>(buf[m++]);
    numbers[SIDES * i + side] = NONE;
    if (size == 0)
      continue;
    WallContact c = WallContact();
    memcpy(&c.state, buf + m, sizeof(State));
    jager_status status =
        jager_contact_unpack(&c.contact, &law.contact, pool, buf + m + state, (size - state) * sizeof(double), nullptr);
    if (status == JAGER_OK)
      status = law.check_stiffness(c.contact, c.state.radius, INFINITY);
    if (status != JAGER_OK)
      error->one(FLERR,
                 std::string("Fix wall/gran/jager: a history cannot be used: ") + jager_status_text(status) +
                     (status == JAGER_ERROR_CORRUPT ? " (has the material changed since the restart file?)" : ""));
    numbers[SIDES * i + side] = static_cast<int>(contacts.size());
    contacts.push_back(c);
    m += size;
  }
  return m;
}

int FixWallGranJager::pack_exchange(int i, double *buf)
{
  return pack_atom(i, buf);
}

int FixWallGranJager::unpack_exchange(int i, double *buf)
{
  return unpack_atom(i, buf);
}

void FixWallGranJager::setup_pre_exchange()
{
  pre_exchange();
}

void FixWallGranJager::post_run()
{
  measure_pending();
  pre_exchange();
}

// Finds the largest size of a packed atom, which LAMMPS needs for its buffers. All ranks call this function together,
// so that the warning can be given here, once.
void FixWallGranJager::pre_exchange()
{
  int mine[2] = {ATOM_HEAD + SIDES, has_restiffened}, most[2];
  for (int i = 0; i < atom->nlocal; i++)
    mine[0] = std::max(mine[0], atom_doubles(i));
  MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, world);
  maxexchange = most[0];
  if (most[1] && !has_warned && comm->me == 0)
    error->warning(FLERR,
                   std::string("Fix wall/gran/jager: radii of spheres that touch a wall have changed; their contacts "
                               "keep their histories and take the new stiffness"));
  has_warned = has_warned || most[1];
}

// ---- Restart files --------------------------------------------------------------------------------------------------

struct FixWallGranJager::Global {
  double format, largest_atom, start;
};

void FixWallGranJager::write_restart(FILE *fp)
{
  if (update->whichflag != 0)
    measure_pending();
  pre_exchange();
  if (comm->me != 0)
    return;
  Global state = {FORMAT, static_cast<double>(maxexchange), static_cast<double>(start)};
  int size = sizeof state;
  fwrite(&size, sizeof size, 1, fp);
  fwrite(&state, sizeof state, 1, fp);
}

void FixWallGranJager::restart(char *buf)
{
  Global state;
  memcpy(&state, buf, sizeof state);
  if (static_cast<int>(state.format) != FORMAT)
    error->all(FLERR, "Fix wall/gran/jager: the histories in the restart file have format " +
                          std::to_string(static_cast<long>(state.format)) + ", this version reads format " +
                          std::to_string(static_cast<int>(FORMAT)) + ": read it with the version that wrote it");
  maxexchange = static_cast<int>(state.largest_atom);
  start = static_cast<bigint>(state.start);
}

int FixWallGranJager::size_restart(int i)
{
  return atom_doubles(i);
}

int FixWallGranJager::maxsize_restart()
{
  return maxexchange;
}

int FixWallGranJager::pack_restart(int i, double *buf)
{
  return pack_atom(i, buf);
}

void FixWallGranJager::unpack_restart(int i, int nth)
{
  const double *from = atom->extra[i];
  for (int k = 0; k < nth; k++)
    from += static_cast<int>(*from);
  if (static_cast<tagint>(ubuf(from[1]).i) != atom->tag[i])
    error->one(FLERR, std::string("Fix wall/gran/jager: atoms were deleted or renumbered between read_restart and this "
                                  "fix, so that their histories are lost: give the fix directly after read_restart"));
  unpack_atom(i, from);
}

// ---- Sums -----------------------------------------------------------------------------------------------------------

double FixWallGranJager::compute_vector(int n)
{
  if (!sums_are_valid)
    MPI_Allreduce(own, sums, SUM_COUNT, MPI_DOUBLE, MPI_SUM, world);
  sums_are_valid = true;
  return sums[n];
}

double FixWallGranJager::memory_usage()
{
  return static_cast<double>(jager_pool_bytes(pool) + numbers.capacity() * sizeof(int) +
                             contacts.capacity() * sizeof(WallContact) + vacant.capacity() * sizeof(int));
}
