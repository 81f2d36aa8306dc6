// SPDX-License-Identifier: MIT
#include "pair_gran_jager.h"

#include "fix_jager_history.h"
#include "rounding.h"

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "memory.h"
#include "modify.h"
#include "neigh_list.h"
#include "neighbor.h"
#include "update.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

using namespace LAMMPS_NS;
using jager_lammps::ContactStore;
using jager_lammps::Law;
using jager_lammps::Material;

// The mass of a frozen sphere, kg. Its square does not overflow.
static const double FROZEN = 1e60;

// The bytes before the coefficients in a restart file. The last one is the number of the format.
static const char restart_magic[8] = {'J', 'A', 'G', 'E', 'R', ' ', ' ', '1'};

PairGranJager::PairGranJager(LAMMPS *engine)
    : SpherePair(engine), types(0), history(nullptr), history_is_new(true), freeze_bit(0), particles(nullptr)
{
  single_enable = 1;
  restartinfo = 1;
  no_virial_fdotr_compute = 1;
  centroidstressflag = CENTROID_NOTAVAIL;
  finitecutflag = 1;
  single_extra = EXTRA_COUNT;
  svector = new double[EXTRA_COUNT];
  choose_id();
  // The fix is made now, so that it precedes the fixes of the input script and thermo_style can use it.
  modify->add_fix(history_id + " all " + FixJagerHistory::STYLE);
}

PairGranJager::~PairGranJager()
{
  delete[] svector;
  if (copymode)
    return;
  if (modify && modify->find_fix(history_id) >= 0)
    modify->delete_fix(history_id);
  if (allocated) {
    memory->destroy(setflag);
    memory->destroy(cutsq);
  }
}

// The fix of the first gran/jager is JAGER; those of further ones, within hybrid, are JAGER2, JAGER3, ... hybrid makes
// its styles in the same order when it is read from a restart file.
void PairGranJager::choose_id()
{
  history_id = FixJagerHistory::ID;
  for (int count = 2, number; (number = modify->find_fix(history_id)) >= 0; count++) {
    if (strcmp(modify->fix[number]->style, FixJagerHistory::STYLE) != 0)
      error->all(FLERR, "Pair style gran/jager: no other fix may have the ID " + history_id);
    history_id = FixJagerHistory::ID + std::to_string(count);
  }
}

void PairGranJager::allocate()
{
  allocated = 1;
  types = atom->ntypes;
  memory->create(setflag, types + 1, types + 1, "pair:setflag");
  memory->create(cutsq, types + 1, types + 1, "pair:cutsq");
  for (int i = 0; i <= types; i++)
    for (int j = 0; j <= types; j++)
      setflag[i][j] = 0;
  materials.assign((types + 1) * (types + 1), Material());
  laws.resize(materials.size());
  law_numbers.assign(materials.size(), 0);
  largest_radius.assign(types + 1, 0.0);
}

// The fix exists as long as the pair style, unless the input script removes it.
FixJagerHistory *PairGranJager::find_history() const
{
  const int number = modify->find_fix(history_id);
  if (number < 0)
    error->all(FLERR,
               "Pair style gran/jager: its fix " + history_id + ", which has the histories, is gone: do not unfix it");
  return static_cast<FixJagerHistory *>(modify->fix[number]);
}

// ---- Commands -------------------------------------------------------------------------------------------------------

void PairGranJager::settings(int narg, char **)
{
  if (narg != 0)
    error->all(FLERR,
               std::string("Illegal pair_style command: gran/jager takes no arguments; its coefficients stand in "
                           "pair_coeff I J G nu friction"));
}

// Whether contacts of law a can continue with law b. The law of a pair of types that has not been used yet is all
// zeros. Coefficients that were mixed and coefficients that were given may differ by rounding errors.
static bool is_as_stiff(const jager_law &a, const jager_law &b)
{
  const double rounding = 1e-14;
  return a.modulus == 0.0 ||
         (a.contour == b.contour && a.exponent == b.exponent && a.slope == b.slope &&
          fabs(a.modulus - b.modulus) <= rounding * a.modulus && fabs(a.kappa - b.kappa) <= rounding * a.kappa);
}

void PairGranJager::coeff(int narg, char **arg)
{
  if (narg < 5)
    error->all(FLERR,
               std::string("Illegal pair_coeff command: pair_style gran/jager needs: pair_coeff I J G nu friction"));
  if (!allocated)
    allocate();
  int ilo, ihi, jlo, jhi;
  utils::bounds(FLERR, arg[0], 1, types, ilo, ihi, error);
  utils::bounds(FLERR, arg[1], 1, types, jlo, jhi, error);
  if (jhi < ilo) { // later versions of LAMMPS do it themselves
    std::swap(ilo, jlo);
    std::swap(ihi, jhi);
  }
  jager_lammps::LawReader reader(lmp, "pair_coeff", narg - 2, arg + 2);
  const Material given = reader.read();
  if (reader.has_more())
    reader.fail("unknown keyword '" + reader.word("") +
                "': gran/jager knows tolerance, dp_max, damping, contour and other");
  const Law law = given.law(lmp, "Illegal pair_coeff command"); // stops if the coefficients are invalid
  const bool has_contacts = find_history()->count_contacts() > 0;
  for (int i = ilo; i <= ihi; i++)
    for (int j = std::max(jlo, i); j <= jhi; j++) {
      if (has_contacts && !is_as_stiff(law_of(i, j).contact, law.contact))
        reader.fail("while spheres touch, only friction, tolerance, dp_max and damping can change");
      material(i, j) = given;
      setflag[i][j] = 1;
    }
}

// ---- Before a run ---------------------------------------------------------------------------------------------------

void PairGranJager::check_world()
{
  if (!jager_compat::can_touch(atom))
    error->all(FLERR, std::string("Pair style gran/jager requires atom attributes radius, rmass, omega, torque: use "
                                  "atom_style sphere"));
  if (!atom->tag_enable)
    error->all(FLERR, std::string("Pair style gran/jager requires atoms with IDs: do not use atom_modify id no"));
  if (comm->ghost_velocity == 0)
    error->all(FLERR, std::string("Pair style gran/jager requires ghost atoms with velocity: use comm_modify vel yes"));
  if (comm->style != 0 && comm->nprocs > 1 && force->newton_pair)
    error->all(FLERR, std::string("Pair style gran/jager with newton on requires comm_style brick"));
  if (update->whichflag == 2)
    error->all(FLERR, std::string("Pair style gran/jager cannot be used with minimize: its forces depend on the path"));
  if (strncmp(update->integrate_style, "respa", 5) == 0) // positions change several times between two forces
    error->all(FLERR, std::string("Pair style gran/jager cannot be used with r-RESPA: use run_style verlet"));
}

// Whether spheres may grow during a run, by fix adapt or fix adapt/fep.
bool PairGranJager::spheres_may_grow() const
{
  for (int k = 0; k < modify->nfix; k++)
    if (strncmp(modify->fix[k]->style, "adapt", 5) == 0)
      return true;
  return false;
}

// Finds the largest radius of each type, including the spheres that fixes will insert. If spheres may grow, the
// radius is increased by a quarter.
void PairGranJager::find_radii()
{
  std::vector<double> own(types + 1, 0.0);
  for (int i = 0; i < atom->nlocal; i++)
    own[atom->type[i]] = std::max(own[atom->type[i]], atom->radius[i]);
  for (int k = 0; k < modify->nfix; k++) {
    const char *style = modify->fix[k]->style;
    if (strcmp(style, "pour") != 0 && strcmp(style, "deposit") != 0)
      continue;
    for (int type = 1; type <= types; type++) {
      int argument = type;
      const double *radius = static_cast<double *>(modify->fix[k]->extract("radius", argument));
      if (radius)
        own[type] = std::max(own[type], *radius);
    }
  }
  MPI_Allreduce(own.data(), largest_radius.data(), types + 1, MPI_DOUBLE, MPI_MAX, world);
  const double widest = 4.0 * *std::max_element(largest_radius.begin(), largest_radius.end());
  const int periodic[3] = {domain->xperiodic, domain->yperiodic, domain->zperiodic};
  for (int d = 0; d < 3 - (domain->dimension == 2); d++)
    if (periodic[d] && domain->prd[d] < widest)
      error->all(FLERR,
                 std::string("Pair style gran/jager: a periodic box must be wider than two of the largest diameters"));
  if (spheres_may_grow())
    for (double &radius : largest_radius)
      radius *= 1.25;
}

void PairGranJager::find_frozen()
{
  freeze_bit = 0;
  for (int k = 0; k < modify->nfix; k++)
    if (strcmp(modify->fix[k]->style, "freeze") == 0)
      freeze_bit |= modify->fix[k]->groupbit;
}

// Before the first run the fix is made again, to get its data from the restart file: LAMMPS had not read them when the
// pair style was made.
void PairGranJager::make_history()
{
  if (history_is_new) {
    const bool follows = find_history()->follows_rate();
    modify->add_fix(history_id + " all " + FixJagerHistory::STYLE);
    find_history()->follow_rate(follows);
    history_is_new = false;
  }
  history = find_history();
  history->pair = this;
  history->force_reneighbor = spheres_may_grow();
  history->next_reneighbor = -1;
}

// Makes the values for compute pair/local available if this style is a sub-style of pair_style hybrid. Plain hybrid
// cannot pass the values on: the style then reports no values, and LAMMPS refuses to list them.
void PairGranJager::pass_values_through_hybrid()
{
  if (force->pair == this)
    return;
  if (strcmp(force->pair_style, "hybrid") == 0) {
    if (lmp->num_ver <= jager_compat::WRONG_COPIES)
      single_extra = force->pair->single_extra = 0;
  } else if (strncmp(force->pair_style, "hybrid/", 7) != 0 || !jager_compat::Hybrid::put_last(force->pair, this, types))
    error->all(FLERR, std::string("Pair style gran/jager was compiled for another version of LAMMPS"));
  else if (force->pair->single_extra > EXTRA_COUNT && comm->me == 0)
    error->warning(FLERR,
                   std::string("Pair style gran/jager: where it acts on the same pairs as another style, the values of "
                               "that style in compute pair/local are listed as 0"));
}

void PairGranJager::init_style()
{
  check_world();
  if (!jager_compat::request_spheres(neighbor, this, instance_me, jager_compat::first()))
    error->all(FLERR, std::string("Pair style gran/jager was compiled for another version of LAMMPS"));
  pass_values_through_hybrid();
  make_history();
  find_radii();
  find_frozen();
  numbered_materials.clear();
  numbered_laws.clear();
  numbered_dashpots.clear();
}

void PairGranJager::number_law(int i, int j)
{
  const Material &own = material(i, j);
  size_t number = 0;
  while (number < numbered_laws.size() && memcmp(&numbered_materials[number], &own, sizeof own) != 0)
    number++;
  if (number > UINT16_MAX)
    error->all(FLERR, std::string("Pair style gran/jager: there are more than 65,536 different coefficients"));
  if (number == numbered_laws.size()) {
    numbered_materials.push_back(own);
    numbered_laws.push_back(law_of(i, j).contact);
    numbered_dashpots.push_back(law_of(i, j).dashpot);
  }
  law_numbers[i * (types + 1) + j] = law_numbers[j * (types + 1) + i] = static_cast<uint16_t>(number);
}

double PairGranJager::init_one(int i, int j)
{
  if (!setflag[i][j]) {
    if (!setflag[i][i] || !setflag[j][j])
      error->all(FLERR, std::string("All pair coeffs are not set"));
    if (material(i, i).is_dissimilar || material(j, j).is_dissimilar ||
        material(i, i).contour != JAGER_CONTOUR_SPHERE || material(j, j).contour != JAGER_CONTOUR_SPHERE)
      error->all(FLERR, "Pair style gran/jager: types " + std::to_string(i) + " and " + std::to_string(j) +
                            " cannot be mixed, since one of them has contour or other: give their pair_coeff");
    material(i, j) = Material::mix(material(i, i), material(j, j));
  }
  laws[i * (types + 1) + j] = laws[j * (types + 1) + i] = material(i, j).law(lmp, "Pair style gran/jager");
  number_law(i, j);
  return largest_radius[i] + largest_radius[j];
}

// ---- Forces ---------------------------------------------------------------------------------------------------------

void PairGranJager::fail_contact(jager_status status, int i, int j) const
{
  error->one(FLERR, "Pair gran/jager: the contact of atoms " + std::to_string(atom->tag[i]) + " and " +
                        std::to_string(atom->tag[j]) + " cannot be moved in step " + std::to_string(update->ntimestep) +
                        ": " + jager_status_text(status));
}

// Forces on atoms from this index on are not wanted: with newton off, those on ghosts.
int PairGranJager::owned() const
{
  return force->newton_pair ? atom->nlocal + atom->nghost : atom->nlocal;
}

// Makes room for all atoms, ghosts included. The loads are zero: hand_out leaves them so.
void PairGranJager::make_room(size_t count)
{
  const size_t line = sizeof(jager_particle);
  if (particle_memory.size() < count + 1)
    particle_memory.resize(count + count / 8 + 1);
  size_t room = particle_memory.size() * line;
  void *at = particle_memory.data();
  particles = static_cast<jager_particle *>(std::align(line, count * line, at, room));
  if (update->setupflag || loads.size() != count)
    loads.assign(count, jager_wrench());
}

// Copies the atoms, ghosts included. In the setup of a run they do not turn: new contacts are loaded in the normal
// direction.
void PairGranJager::copy_atoms()
{
  const size_t count = atom->nlocal + atom->nghost;
  make_room(count);
  const double *x = atom->x[0], *omega = atom->omega[0], *radius = atom->radius, *mass = atom->rmass;
  const double dt = update->setupflag ? 0.0 : update->dt;
  for (size_t i = 0; i < count; i++) {
    const jager_vec3 turn = {dt * omega[3 * i], dt * omega[3 * i + 1], dt * omega[3 * i + 2]};
    const jager_vec3 cayley = jager_pair_cayley(turn);
    particles[i] = {{x[3 * i], x[3 * i + 1], x[3 * i + 2]}, radius[i], {cayley.x, cayley.y, cayley.z}, mass[i]};
  }
  for (size_t i = 0; freeze_bit != 0 && i < count; i++)
    if (atom->mask[i] & freeze_bit)
      particles[i].mass = FROZEN;
}

// Begins the contact of pair k of those apart. The positions before the step, and from them the part of the step during
// which the spheres touched, are computed from the velocities, which are known on every rank and after a restart.
// Spheres that overlap in the setup of a run get a contact without a history.
void PairGranJager::begin(size_t k, const double *branch)
{
  ContactStore &store = history->store;
  const int p = store.apart[k].p, q = store.apart[k].q;
  const uint16_t law = law_number(atom->type[p], atom->type[q]);
  double before[3];
  for (int d = 0; d < 3; d++)
    before[d] = branch[d] - (atom->v[q][d] - atom->v[p][d]) * update->dt;
  jager_pair pair = {static_cast<uint32_t>(p), static_cast<uint32_t>(q), JAGER_NONE, JAGER_NONE, 0, law};
  jager_status status = jager_pairs_begin(store.contacts, &numbered_laws[law], atom->radius[p], atom->radius[q], branch,
                                          update->setupflag ? nullptr : before, &pair.contact);
  if (status != JAGER_OK)
    fail_contact(status, p, q);
  store.add(pair, jager_lammps::Beside());
  store.drop_apart(k);
}

// The next of the pairs from k on whose spheres overlap, or their number; `branch` is then the branch of that pair.
static size_t next_overlap(const std::vector<jager_lammps::ApartPair> &apart, size_t k, const jager_particle *particles,
                           double *branch)
{
  const jager_lammps::ApartPair *const pairs = apart.data();
  const size_t count = apart.size();
  for (; k < count; k++) {
    const jager_particle &p = particles[pairs[k].p], &q = particles[pairs[k].q];
    const double x = q.x[0] - p.x[0], y = q.x[1] - p.x[1], z = q.x[2] - p.x[2], radii = p.radius + q.radius;
    if (x * x + y * y + z * z < radii * radii) {
      branch[0] = x;
      branch[1] = y;
      branch[2] = z;
      break;
    }
  }
  return k;
}

void PairGranJager::find_touches()
{
  const std::vector<jager_lammps::ApartPair> &apart = history->store.apart;
  double branch[3];
  for (size_t k = 0; (k = next_overlap(apart, k, particles, branch)) < apart.size();)
    begin(k, branch); // the last pair has moved to index k
}

// Whether the virial of all pairs together is not enough: energies, or values of atoms, or of pairs of two ranks
bool PairGranJager::tallies_pairs() const
{
  return evflag && (eflag_either || vflag_atom || !force->newton_pair);
}

void PairGranJager::tally(const jager_pair &pair, const jager_vec3 &on_q)
{
  const int p = static_cast<int>(pair.p), q = static_cast<int>(pair.q);
  jager_energy energy = {0.0, 0.0, 0.0};
  if (eflag_either) {
    jager_pairs_stored(history->store.contacts, &numbered_laws[pair.law], pair.contact, &energy);
  }
  ev_tally_xyz(q, p, atom->nlocal, force->newton_pair, energy.normal + energy.tangential, 0.0, on_q.x, on_q.y, on_q.z,
               particles[q].x[0] - particles[p].x[0], particles[q].x[1] - particles[p].x[1],
               particles[q].x[2] - particles[p].x[2]);
}

// The virial of LAMMPS has the x of branches times the y of forces, that of the library the y of branches times the x
// of forces. The difference is the torque of the contact on both spheres.
void PairGranJager::add_virial(const double *sum)
{
  double torque[3] = {0.0, 0.0, 0.0};
  for (const jager_wrench &load : loads)
    for (int d = 0; d < 3; d++)
      torque[d] += load.torque[d];
  const double total[6] = {sum[0], sum[1], sum[2], sum[3] - torque[2], sum[4] + torque[1], sum[5] - torque[0]};
  for (int i = 0; i < 6; i++)
    virial[i] += total[i];
}

// Tallies the pairs [first, end), which have moved in this step.
void PairGranJager::tally_motions(size_t first, size_t end)
{
  const ContactStore &store = history->store;
  for (size_t k = first; k < end; k++) {
    const jager_pair_motion &m = motions[k - first];
    const double ft[2] = {m.ft[0] + m.dashpot[1], m.ft[1] + m.dashpot[2]};
    if (store.touching[k].contact != JAGER_NONE)
      tally(store.touching[k], store.axes(store.touching[k].contact).force(m.fn + m.dashpot[0], ft));
  }
}

// Moves the contacts of the pairs of `sweep`, which begin with pair `first`.
void PairGranJager::move_part(jager_sweep &sweep, size_t first, double *virial_sum)
{
  ContactStore &store = history->store;
  const bool is_setup = update->setupflag != 0;
  jager_sums sums;
  size_t failed;
  sweep.pairs = &store.touching[first];
  for (size_t k = 0; is_setup && k < sweep.count; k++) {
    const jager_lammps::Pending pending = store.pending_of(sweep.pairs[k].contact);
    for (size_t d = 0; d < 3; d++)
      shifts[4 * k + d] = -pending.by[d];
    sweep.pairs[k].shift = static_cast<uint16_t>(k);
  }
  const jager_status status = jager_pairs_move(store.contacts, &sweep, &sums, &failed);
  if (status != JAGER_OK)
    fail_contact(status, sweep.pairs[failed].p, sweep.pairs[failed].q);
  if (force->newton_pair)
    store.add_up(sums);
  else
    store.add_up_shared(first, first + sweep.count, motions.data(), static_cast<uint32_t>(owned()));
  store.note_parted(first, first + sweep.count, sums.ended);
  for (size_t k = 0; is_setup && k < sweep.count; k++) {
    store.limit_dashpots(sweep.pairs[k], motions[k].fn);
    sweep.pairs[k].shift = 0;
  }
  if (tallies_pairs())
    tally_motions(first, first + sweep.count);
  for (int i = 0; i < 6; i++)
    virial_sum[i] += sums.virial[i];
}

// Moves the contacts of the pairs from `first` on, in parts whose motions stay in the cache. In the setup of a run this
// takes no time: no dashpot feels it.
void PairGranJager::move_contacts(size_t first)
{
  enum { PART = 512 };
  ContactStore &store = history->store;
  const bool is_setup = update->setupflag != 0;
  jager_sweep sweep = jager_sweep_default();
  sweep.laws = numbered_laws.data();
  sweep.law_count = numbered_laws.size();
  sweep.dt = update->dt;
  sweep.particles = particles;
  sweep.loads = loads.data();
  sweep.accounts = store.beside.data();
  sweep.account_count = store.beside.size();
  sweep.normalise = 1;
  if (is_setup || !force->newton_pair || tallies_pairs()) {
    motions.resize(PART);
    sweep.motions = motions.data();
  }
  if (is_setup) {
    shifts.assign(4 * PART, 0.0);
    sweep.shifts = reinterpret_cast<const double(*)[4]>(shifts.data());
  } else
    sweep.dashpots = numbered_dashpots.data();
  double virial_sum[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  for (const size_t count = store.touching.size(); first < count; first += sweep.count) {
    sweep.count = std::min<size_t>(PART, count - first);
    move_part(sweep, first, virial_sum);
  }
  store.drop_parted();
  if (evflag && !tallies_pairs())
    add_virial(virial_sum);
}

static void add_to(double *to, double sign, const jager_vec3 &v)
{
  to[0] += sign * v.x;
  to[1] += sign * v.y;
  to[2] += sign * v.z;
}

// Computes the forces of the last step again.
void PairGranJager::recall_forces()
{
  const ContactStore &store = history->store;
  for (const jager_pair &pair : store.touching) {
    const jager_contact contact = store.view(pair.contact);
    const jager_lammps::Axes axes = store.axes(pair.contact);
    const jager_force total = store.force(contact, pair.contact);
    const jager_vec3 on_q = axes.force(total.fn, total.ft);
    const double zeta = jager_contact_zeta(&contact);
    add_to(loads[pair.p].force, -1.0, on_q);
    add_to(loads[pair.q].force, 1.0, on_q);
    add_to(loads[pair.p].torque, 1.0, axes.torque(zeta - particles[pair.p].radius, total.ft));
    add_to(loads[pair.q].torque, 1.0, axes.torque(zeta - particles[pair.q].radius, total.ft));
    if (evflag)
      tally(pair, on_q);
  }
}

void PairGranJager::hand_out()
{
  double *f = atom->f[0], *torque = atom->torque[0];
  const size_t end = owned();
  for (size_t i = 0; i < end; i++) {
    for (size_t d = 0; d < 3; d++) {
      f[3 * i + d] += loads[i].force[d];
      torque[3 * i + d] += loads[i].torque[d];
    }
    loads[i] = jager_wrench();
  }
  std::fill(loads.begin() + static_cast<std::ptrdiff_t>(end), loads.end(), jager_wrench());
}

// Whether atoms of the pair have been moved, or their radii changed, between the last run and this one.
bool PairGranJager::has_been_moved(const jager_pair &pair) const
{
  const ContactStore &store = history->store;
  const jager_particle &p = particles[pair.p], &q = particles[pair.q];
  const jager_lammps::Pending pending = store.pending_of(pair.contact);
  const double rounding = jager_lammps::rounding_of(domain);
  const jager_contact contact = store.view(pair.contact);
  double then[3] = {0.0, 0.0, 0.0}, axis[3], now[3];
  jager_pairs_frame(store.contacts, pair.contact, then, axis);
  for (int d = 0; d < 3; d++) {
    now[d] = q.x[d] - p.x[d] - pending.by[d];
    if (fabs(now[d] - then[d]) > rounding)
      return true;
  }
  const double overlap = p.radius + q.radius - sqrt(now[0] * now[0] + now[1] * now[1] + now[2] * now[2]);
  return fabs(overlap - 2.0 * jager_contact_zeta(&contact)) > rounding;
}

// Forces in the setup of a run. Contacts whose atoms the input script has moved since the last run make that movement
// now. All others have the forces of the last step, dashpots included; their bits do not depend on how a run is
// divided. New contacts, from pair `old` on, are loaded in the normal direction.
void PairGranJager::settle(size_t old)
{
  const size_t unmoved =
      history->store.put_moved_last(old, [this](const jager_pair &pair) { return has_been_moved(pair); });
  const int wanted = evflag;
  evflag = 0; // recall_forces gives energies and virial
  move_contacts(unmoved);
  evflag = wanted;
  loads.assign(loads.size(), jager_wrench());
  recall_forces();
}

void PairGranJager::compute(int eflag, int vflag)
{
  ev_init(eflag, vflag);
  history->contacts_have_moved();
  history->follow_bodies();
  if (list->inum > 0) {
    const size_t old = history->store.touching.size();
    copy_atoms();
    find_touches();
    if (update->setupflag)
      settle(old);
    else
      move_contacts(0);
    hand_out();
  }
  if (update->setupflag)
    history->note_setup();
  else
    history->note_step();
}

// ---- Values of single pairs -----------------------------------------------------------------------------------------

double PairGranJager::single(int i, int j, int itype, int jtype, double rsq, double, double, double &fforce)
{
  fforce = 0.0;
  std::fill(svector, svector + EXTRA_COUNT, 0.0);
  if (!history || !history->has_pairs())
    return 0.0;
  ContactStore &store = history->store;
  const jager_pair *pair = store.find(i, j);
  if (!pair)
    return 0.0;
  jager_energy energy = {0.0, 0.0, 0.0};
  const jager_contact contact = store.view(pair->contact);
  const jager_force total = store.force(contact, pair->contact);
  const jager_vec3 tangential = store.axes(pair->contact).force(0.0, total.ft);
  jager_contact_stored(&contact, &law_of(itype, jtype).contact, nullptr, &energy);
  svector[FN] = total.fn;
  svector[FT] = jager_vec3_length(tangential);
  add_to(svector + FT_X, pair->p == static_cast<uint32_t>(i) ? -1.0 : 1.0, tangential);
  svector[STATE] = jager_contact_state(&contact);
  svector[LENGTH] = jager_contact_length(&contact);
  svector[NORMAL] = energy.normal;
  svector[TANGENTIAL] = energy.tangential;
  svector[FRICTION] = store.beside[pair->contact].work - energy.tangential;
  fforce = svector[FN] / sqrt(rsq);
  return energy.normal + energy.tangential;
}

double PairGranJager::memory_usage()
{
  return static_cast<double>(materials.capacity() * sizeof(Material) + laws.capacity() * sizeof(Law) +
                             particle_memory.capacity() * sizeof(jager_particle) +
                             loads.capacity() * sizeof(jager_wrench) + motions.capacity() * sizeof(jager_pair_motion));
}

// ---- Restart files --------------------------------------------------------------------------------------------------

void PairGranJager::write_restart(FILE *fp)
{
  fwrite(restart_magic, sizeof restart_magic, 1, fp);
  for (int i = 1; i <= types; i++)
    for (int j = i; j <= types; j++) {
      fwrite(&setflag[i][j], sizeof(int), 1, fp);
      if (setflag[i][j])
        fwrite(&material(i, j), sizeof(Material), 1, fp);
    }
}

void PairGranJager::read_restart(FILE *fp)
{
  char magic[sizeof restart_magic];
  allocate();
  if (comm->me == 0)
    utils::sfread(FLERR, magic, sizeof magic, 1, fp, nullptr, error);
  MPI_Bcast(magic, sizeof magic, MPI_CHAR, 0, world);
  if (memcmp(magic, restart_magic, sizeof magic - 1) != 0)
    error->all(FLERR, std::string("Pair gran/jager: the restart file is damaged, or was not written by gran/jager"));
  if (magic[sizeof magic - 1] != restart_magic[sizeof magic - 1])
    error->all(FLERR, std::string("Pair gran/jager: the restart file has format ") + magic[sizeof magic - 1] +
                          ", this version reads format " + restart_magic[sizeof magic - 1] +
                          ": read it with the version that wrote it");
  for (int i = 1; i <= types; i++)
    for (int j = i; j <= types; j++) {
      if (comm->me == 0) {
        utils::sfread(FLERR, &setflag[i][j], sizeof(int), 1, fp, nullptr, error);
        if (setflag[i][j])
          utils::sfread(FLERR, &material(i, j), sizeof(Material), 1, fp, nullptr, error);
      }
      MPI_Bcast(&setflag[i][j], 1, MPI_INT, 0, world);
      MPI_Bcast(&material(i, j), sizeof(Material), MPI_BYTE, 0, world);
    }
}
