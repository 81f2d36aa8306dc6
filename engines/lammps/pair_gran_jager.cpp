// SPDX-License-Identifier: MIT
#include "pair_gran_jager.h"

#include "compat.h"
#include "fix_jager_history.h"

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

using namespace LAMMPS_NS;
using jager_lammps::Material;
using jager_lammps::NO_CONTACT;

// The bytes before the coefficients in a restart file. The last one is the number of the format.
static const char restart_magic[8] = {'J', 'A', 'G', 'E', 'R', ' ', ' ', '1'};

PairGranJager::PairGranJager(LAMMPS *engine)
    : Pair(engine), types(0), history(nullptr), history_is_new(true), freeze_bit(0), batch()
{
  single_enable = 1;
  restartinfo = 1;
  no_virial_fdotr_compute = 1;
  centroidstressflag = CENTROID_NOTAVAIL;
  finitecutflag = 1;
  single_extra = EXTRA_COUNT;
  svector = new double[EXTRA_COUNT];
  if (modify->find_fix(FixJagerHistory::ID) >= 0)
    error->all(FLERR,
               std::string("Pair style gran/jager: only one of it can be used, and no other fix may have the ID ") +
                   FixJagerHistory::ID);
  // The fix is made now, so that it precedes the fixes of the input script and thermo_style can use it.
  modify->add_fix(std::string(FixJagerHistory::ID) + " all " + FixJagerHistory::STYLE);
}

PairGranJager::~PairGranJager()
{
  delete[] svector;
  if (copymode)
    return;
  if (modify && modify->find_fix(FixJagerHistory::ID) >= 0)
    modify->delete_fix(std::string(FixJagerHistory::ID));
  if (allocated) {
    memory->destroy(setflag);
    memory->destroy(cutsq);
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
  largest_radius.assign(types + 1, 0.0);
}

// The fix exists as long as the pair style, unless the input script removes it.
FixJagerHistory *PairGranJager::find_history() const
{
  const int number = modify->find_fix(FixJagerHistory::ID);
  if (number < 0)
    error->all(FLERR,
               std::string("Pair style gran/jager: its fix JAGER, which has the histories, is gone: do not unfix it"));
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
  int ilo, ihi, jlo, jhi, count = 0;
  utils::bounds(FLERR, arg[0], 1, types, ilo, ihi, error);
  utils::bounds(FLERR, arg[1], 1, types, jlo, jhi, error);
  jager_lammps::LawReader reader(lmp, "pair_coeff", narg - 2, arg + 2);
  const Material given = reader.read();
  if (reader.has_more())
    reader.fail("unknown keyword '" + reader.word("") +
                "': gran/jager knows tolerance, dp_max, damping, contour and other");
  const pair_law law = given.law(lmp, "Illegal pair_coeff command"); // stops if the coefficients are invalid
  const bool has_contacts = find_history()->count_contacts() > 0;
  for (int i = ilo; i <= ihi; i++)
    for (int j = std::max(jlo, i); j <= jhi; j++, count++) {
      if (has_contacts && !is_as_stiff(law_of(i, j)->law, law.law))
        reader.fail("while spheres touch, only friction, tolerance, dp_max and damping can change");
      material(i, j) = given;
      setflag[i][j] = 1;
    }
  if (count == 0)
    error->all(FLERR,
               std::string("Incorrect args for pair coefficients: in pair_coeff I J, I must not be larger than J"));
}

// ---- Before a run ---------------------------------------------------------------------------------------------------

void PairGranJager::check_world()
{
  if (!atom->sphere_flag || !atom->radius_flag || !atom->rmass_flag || !atom->omega_flag || !atom->torque_flag)
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
    modify->add_fix(std::string(FixJagerHistory::ID) + " all " + FixJagerHistory::STYLE);
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
  if (force->pair == this || lmp->num_ver > jager_compat::WRONG_COPIES)
    return;
  if (strcmp(force->pair_style, "hybrid") == 0)
    single_extra = force->pair->single_extra = 0;
  else if (strncmp(force->pair_style, "hybrid/", 7) != 0 || !jager_compat::Hybrid::put_last(force->pair, this, types))
    error->all(FLERR, std::string("Pair style gran/jager was compiled for another version of LAMMPS"));
  else if (force->pair->single_extra > EXTRA_COUNT && comm->me == 0)
    error->warning(FLERR,
                   std::string("Pair style gran/jager: where it acts beside another style with values for compute "
                               "pair/local, those of the other one are listed as 0"));
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
  return largest_radius[i] + largest_radius[j];
}

double PairGranJager::atom2cut(int i)
{
  return 2.0 * atom->radius[i];
}

double PairGranJager::radii2cut(double r1, double r2)
{
  return r1 + r2;
}

// ---- Forces ---------------------------------------------------------------------------------------------------------

void PairGranJager::fail_contact(jager_status status, int i, int j) const
{
  error->one(FLERR, "Pair gran/jager: the contact of atoms " + std::to_string(atom->tag[i]) + " and " +
                        std::to_string(atom->tag[j]) + " cannot be moved in step " + std::to_string(update->ntimestep) +
                        ": " + jager_status_text(status));
}

// The arrays of atoms that the loops over pairs read, as plain pointers
struct PairGranJager::Arrays {
  const double *x, *v, *omega, *radius, *mass;
  const int *type, *mask;
  double dt;
  int freeze_bit, owned; // owned: a pair with both indices below it is on this rank only
  explicit Arrays(const PairGranJager &pair)
      : x(pair.atom->x[0]), v(pair.atom->v[0]), omega(pair.atom->omega[0]), radius(pair.atom->radius),
        mass(pair.atom->rmass), type(pair.atom->type), mask(pair.atom->mask), dt(pair.update->dt),
        freeze_bit(pair.freeze_bit),
        owned(pair.force->newton_pair ? pair.atom->nlocal + pair.atom->nghost : pair.atom->nlocal)
  {
  }
  double mass_of(int i) const
  {
    return freeze_bit != 0 && mask[i] & freeze_bit ? PAIR_FROZEN : mass[i];
  }
};

// Computes the branch from p to q and returns its length squared.
inline double PairGranJager::branch_of(const Arrays &a, int p, int q, double *branch) const
{
  for (int d = 0; d < 3; d++)
    branch[d] = a.x[3 * q + d] - a.x[3 * p + d];
  return branch[0] * branch[0] + branch[1] * branch[1] + branch[2] * branch[2];
}

inline void PairGranJager::gather(const Arrays &a, const jager_lammps::ListedPair &pair, const double *branch,
                                  double square)
{
  const size_t k = batch.count++;
  const int p = pair.p, q = pair.q;
  for (int d = 0; d < 3; d++) {
    batch.branch[d][k] = branch[d];
    batch.turn_p[d][k] = a.dt * a.omega[3 * p + d];
    batch.turn_q[d][k] = a.dt * a.omega[3 * q + d];
  }
  batch.square[k] = square;
  batch.radius_p[k] = a.radius[p];
  batch.radius_q[k] = a.radius[q];
  batch.mass_p[k] = a.mass_of(p);
  batch.mass_q[k] = a.mass_of(q);
  batch.law[k] = law_of(a.type[p], a.type[q]);
  batch.weight[k] = p < a.owned && q < a.owned ? 1.0 : 0.5;
  batch.contact[k] = static_cast<uint32_t>(pair.contact);
  batch.p[k] = p;
  batch.q[k] = q;
}

void PairGranJager::tally(size_t k)
{
  const int p = batch.p[k], q = batch.q[k];
  jager_energy energy = {0.0, 0.0, 0.0};
  if (eflag_either)
    jager_contact_stored(&batch.law[k]->law, &history->store.contacts.data()[batch.contact[k]].contact, &energy);
  ev_tally_xyz(q, p, atom->nlocal, force->newton_pair, energy.normal + energy.tangential, 0.0, batch.force[0][k],
               batch.force[1][k], batch.force[2][k], batch.branch[0][k], batch.branch[1][k], batch.branch[2][k]);
}

void PairGranJager::hand_out()
{
  double *f = atom->f[0], *torque = atom->torque[0];
  const int owned = force->newton_pair ? atom->nlocal + atom->nghost : atom->nlocal;
  for (size_t k = 0; k < batch.count; k++) {
    const int p = batch.p[k], q = batch.q[k];
    if (p < owned)
      for (int d = 0; d < 3; d++) {
        f[3 * p + d] -= batch.force[d][k];
        torque[3 * p + d] += batch.torque_p[d][k];
      }
    if (q < owned)
      for (int d = 0; d < 3; d++) {
        f[3 * q + d] += batch.force[d][k];
        torque[3 * q + d] += batch.torque_q[d][k];
      }
  }
  if (evflag)
    for (size_t k = 0; k < batch.count; k++)
      tally(k);
}

void PairGranJager::work_off()
{
  jager_lammps::ContactStore &store = history->store;
  size_t failed;
  if (update->setupflag)
    pair_batch_recall(&batch, store.contacts.data());
  else {
    jager_status status = pair_batch_move(&batch, store.contacts.data(), store.pool, update->dt, &store.sums, &failed);
    if (status != JAGER_OK)
      fail_contact(status, batch.p[failed], batch.q[failed]);
  }
  hand_out();
  batch.count = 0;
}

// Initialises a new contact. The positions before the step, and from them the part of the step during which the spheres
// touched, are computed from the velocities, which are known on every rank and after a restart. Spheres that overlap in
// the setup of a run get a contact without a history.
void PairGranJager::begin(const Arrays &a, const jager_lammps::ListedPair &pair, const double *branch)
{
  const int p = pair.p, q = pair.q;
  const double radii[2] = {a.radius[p], a.radius[q]};
  double shift[3];
  for (int d = 0; d < 3; d++)
    shift[d] = (a.v[3 * q + d] - a.v[3 * p + d]) * a.dt;
  jager_status status = pair_contact_touch(&history->store.contacts.data()[pair.contact], law_of(a.type[p], a.type[q]),
                                           history->store.pool, radii, branch, update->setupflag ? nullptr : shift);
  if (status != JAGER_OK)
    fail_contact(status, p, q);
}

void PairGranJager::find_touches(const Arrays &a)
{
  jager_lammps::ContactStore &store = history->store;
  for (size_t k = 0; k < store.apart.size();) {
    const jager_lammps::ListedPair &pair = store.apart[k];
    const double radii = a.radius[pair.p] + a.radius[pair.q];
    double branch[3];
    if (branch_of(a, pair.p, pair.q, branch) < radii * radii)
      begin(a, store.touch(k), branch); // the last pair has moved to index k
    else
      k++;
  }
}

void PairGranJager::move_touching(const Arrays &a)
{
  enum { AHEAD = PAIR_BATCH }; // distance of the prefetch, in contacts
  jager_lammps::ContactStore &store = history->store;
  const bool is_setup = update->setupflag != 0;
  for (size_t k = 0; k < store.touching.size();) {
    const jager_lammps::ListedPair &pair = store.touching[k];
    const double radii = a.radius[pair.p] + a.radius[pair.q];
    double branch[3];
    const double square = branch_of(a, pair.p, pair.q, branch);
    if (square >= radii * radii && !is_setup) {
      store.part(k); // the last pair has moved to index k
      continue;
    }
    if (k + AHEAD < store.touching.size())
      store.fetch(store.touching[k + AHEAD].contact);
    gather(a, pair, branch, square);
    if (batch.count == PAIR_BATCH)
      work_off();
    k++;
  }
  work_off();
}

// In the setup of a run, contacts do not move. Existing contacts have the forces of the last step, even if the input
// script has moved the atoms since; the next step includes that movement. New contacts are loaded in the normal
// direction.
void PairGranJager::compute(int eflag, int vflag)
{
  ev_init(eflag, vflag);
  history->contacts_have_moved();
  history->follow_bodies();
  batch.count = 0;
  if (list->inum == 0)
    return;
  const Arrays arrays(*this);
  find_touches(arrays);
  move_touching(arrays);
}

// ---- Values of single pairs -----------------------------------------------------------------------------------------

// The contact of atoms i and j, in either order, or null
const pair_contact *PairGranJager::find_contact(int i, int j) const
{
  if (!history || !history->has_slots() || !list)
    return nullptr;
  const jager_lammps::ContactStore &store = history->store;
  for (int turn = 0; turn < 2; turn++, std::swap(i, j)) {
    if (static_cast<size_t>(i) >= store.starts.size() || store.starts[i] == jager_lammps::NOT_LISTED)
      continue;
    const int *neighbours = list->firstneigh[i], *slots = store.slots_of(i);
    for (int jj = 0; jj < list->numneigh[i]; jj++)
      if ((neighbours[jj] & NEIGHMASK) == j && slots[jj] != NO_CONTACT)
        return &store.contacts.data()[slots[jj]];
  }
  return nullptr;
}

double PairGranJager::single(int i, int j, int itype, int jtype, double rsq, double, double, double &fforce)
{
  fforce = 0.0;
  std::fill(svector, svector + EXTRA_COUNT, 0.0);
  const pair_contact *pair = find_contact(i, j);
  if (!pair)
    return 0.0;
  double normal[3], tangential[3];
  jager_energy energy = {0.0, 0.0, 0.0};
  pair_contact_force(pair, normal, tangential);
  jager_contact_stored(&law_of(itype, jtype)->law, &pair->contact, &energy);
  double along = 0.0; // projection of the branch from i to j on the branch of the contact
  for (int d = 0; d < 3; d++)
    along += pair->state.branch[d] * (atom->x[j][d] - atom->x[i][d]);
  const double on_i = along > 0.0 ? -1.0 : 1.0; // `tangential` acts on the second sphere
  svector[FN] = jager_contact_fn(&pair->contact) + pair->state.dashpot[0];
  svector[FT] = sqrt(tangential[0] * tangential[0] + tangential[1] * tangential[1] + tangential[2] * tangential[2]);
  for (int d = 0; d < 3; d++)
    svector[FT_X + d] = on_i * tangential[d];
  svector[STATE] = jager_contact_state(&pair->contact);
  svector[LENGTH] = jager_contact_length(&pair->contact);
  svector[NORMAL] = energy.normal;
  svector[TANGENTIAL] = energy.tangential;
  svector[FRICTION] = pair->state.work - energy.tangential;
  fforce = svector[FN] / sqrt(rsq);
  return energy.normal + energy.tangential;
}

double PairGranJager::memory_usage()
{
  return static_cast<double>(materials.capacity() * sizeof(Material) + laws.capacity() * sizeof(pair_law));
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
