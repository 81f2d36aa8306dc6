// SPDX-License-Identifier: MIT
// The history of a contact, doubles that LAMMPS keeps, is read into a jager_compact, moved and written back. If LAMMPS
// gives the history to the other atom of a pair, it multiplies each number by +1 or -1; hence words are stored as
// numbers, not as bits. The mirrored view has the normal -n, the first tangent -e and the opposite movement. Then
// n x e is as before, while the second tangent must be reversed as well: its sign is stored, the `side`.
#include "gran_sub_mod_jager.h"

#include "error.h"
#include "gran_sub_mod_damping.h"
#include "gran_sub_mod_normal.h"
#include "granular_model.h"

#include <math.h>
#include <string.h>

// One contact for each K
#define JAGER_COMPACT_NAME jager_8
#define JAGER_COMPACT_POINTS 8
#include "jager/compact.h"
#define JAGER_COMPACT_NAME jager_12
#define JAGER_COMPACT_POINTS 12
#include "jager/compact.h"
#define JAGER_COMPACT_NAME jager_16
#define JAGER_COMPACT_POINTS 16
#include "jager/compact.h"
#define JAGER_COMPACT_NAME jager_24
#define JAGER_COMPACT_POINTS 24
#include "jager/compact.h"

using namespace LAMMPS_NS;
using namespace Granular_NS;

namespace
{

// Vectors and movements are the same for each K
typedef jager_8_vec3 Vec3;
typedef jager_8_pair_movement Movement;

// ---- Versions of LAMMPS ---------------------------------------------------------------------------------------------

// The call f(first()) selects the overload for `first` if it compiles with this version, else the one for `second`.
struct second {
};
struct first : second {
};

enum Output { STATE_OUT, POINTS_OUT, BOUND_OUT, OUTPUT_COUNT };

// Sub-models have values of their own in compute pair/local since 2025.
template <typename S> auto announce_output(S *sub_model, first) -> decltype(sub_model->nsvector, void())
{
  sub_model->nsvector = OUTPUT_COUNT;
}

template <typename S> void announce_output(S *, second)
{
}

template <typename S, typename M>
auto write_output(const S *sub_model, M *gm, const double *values, first) -> decltype(gm->svector, void())
{
  if (gm->calculate_svector)
    memcpy(gm->svector + sub_model->index_svector, values, OUTPUT_COUNT * sizeof(double));
}

template <typename S, typename M> void write_output(const S *, M *, const double *, second)
{
}

// ---- The history of a contact ---------------------------------------------------------------------------------------

enum History {
  SIDE,          // +1, or -1 in the mirrored view; 0: no contact
  BRANCH,        // from atom j, or the wall, to atom i
  TANGENT = 4,   // e
  MIRRORED = 7,  // so many numbers change their sign in the mirrored view
  LENGTH = 7,    // points in use
  STATE,         // jager_state
  STIFFNESS,     // C of Fn = C zeta^1.5
  FRICTION_USED, // of the last movement
  RESIDUAL,      // two numbers
  ANCHOR = 13,   // two
  ANCHOR_LOW = 15,
  FIRST_POINT = 17,
  POINT_SIZE = 4 // zeta, two slopes, error bound
};

template <typename C> void read_contact(const double *history, C *contact)
{
  memset(contact, 0, sizeof *contact);
  contact->points = static_cast<uint32_t>(history[LENGTH]);
  contact->state = static_cast<uint32_t>(history[STATE]);
  contact->stiffness = history[STIFFNESS];
  contact->friction = history[FRICTION_USED];
  for (int i = 0; i < 2; i++) {
    contact->residual[i] = history[RESIDUAL + i];
    contact->anchor[i] = history[ANCHOR + i];
    contact->anchor_low[i] = static_cast<uint32_t>(history[ANCHOR_LOW + i]);
  }
  const double *point = history + FIRST_POINT;
  for (uint32_t k = 0; k < contact->points; k++, point += POINT_SIZE) {
    contact->zeta[k] = point[0];
    contact->slope[k][0] = point[1];
    contact->slope[k][1] = point[2];
    contact->bound[k] = static_cast<uint32_t>(point[3]);
  }
}

// Points that are no longer in use become zero.
template <typename C> void write_contact(const C *contact, double *history)
{
  const uint32_t before = static_cast<uint32_t>(history[LENGTH]);
  history[LENGTH] = contact->points;
  history[STATE] = contact->state;
  history[STIFFNESS] = contact->stiffness;
  history[FRICTION_USED] = contact->friction;
  for (int i = 0; i < 2; i++) {
    history[RESIDUAL + i] = contact->residual[i];
    history[ANCHOR + i] = contact->anchor[i];
    history[ANCHOR_LOW + i] = contact->anchor_low[i];
  }
  double *point = history + FIRST_POINT;
  for (uint32_t k = 0; k < contact->points || k < before; k++, point += POINT_SIZE) {
    point[0] = contact->zeta[k];
    point[1] = contact->slope[k][0];
    point[2] = contact->slope[k][1];
    point[3] = contact->bound[k];
  }
}

// ---- The movement of a step -----------------------------------------------------------------------------------------

Vec3 vec3_of(const double *v)
{
  Vec3 vector = {v[0], v[1], v[2]};
  return vector;
}

void write_vec3(Vec3 vector, double *to)
{
  to[0] = vector.x;
  to[1] = vector.y;
  to[2] = vector.z;
}

// Cayley's vector of the rotation of a sphere in the step
Vec3 turn_of(const GranularModel *gm, const double *omega)
{
  return jager_8_pair_cayley(jager_8_vec3_scale(gm->dt, vec3_of(omega)));
}

// The branch before the step. A new contact has none: it is computed from velocities, this once.
Vec3 branch_before(const GranularModel *gm, const double *history)
{
  if (history[SIDE] != 0.0)
    return vec3_of(history + BRANCH);
  if (gm->contact_type == PAIR)
    return jager_8_vec3_add_scaled(vec3_of(gm->dx), -gm->dt, vec3_of(gm->vr));
  return jager_8_vec3_scale(gm->r - gm->dt * gm->vnnr, vec3_of(gm->nx));
}

// The relative movement of the two surfaces at the point on which LAMMPS lets the force act: in the middle of the
// overlap of two spheres, and a radius away from the centre at a wall. That of spheres follows from positions, as in
// jager/pair.h. A wall may move in its plane: there it follows from velocities.
Vec3 surface_shift(const GranularModel *gm, Vec3 branch0, double zeta0, Vec3 mean, Vec3 turn_i, Vec3 turn_j)
{
  const double zeta = 0.5 * gm->delta;
  if (gm->contact_type == PAIR)
    return jager_8_pair_surface_shift(jager_8_vec3_subtract(vec3_of(gm->dx), branch0),
                                      jager_8_pair_arm(gm->radj, zeta0, zeta), turn_j,
                                      jager_8_pair_arm(gm->radi, zeta0, zeta), turn_i, mean);
  return jager_8_pair_surface_shift(jager_8_vec3_scale(gm->dt, vec3_of(gm->vr)), gm->radj, turn_j, gm->radi, turn_i,
                                    mean);
}

// The movement of the contact, and the axes after it. If it does not move, and the axes follow the normal.
Movement movement_of(const GranularModel *gm, const double *history, bool moves)
{
  const Vec3 branch0 = branch_before(gm, history), n = vec3_of(gm->nx);
  const double distance0 = jager_8_vec3_length(branch0), zeta0 = 0.5 * (gm->radsum - distance0);
  const Vec3 n0 = jager_8_vec3_scale(1.0 / distance0, branch0), sum = jager_8_vec3_add(n0, n),
             mean = jager_8_vec3_scale(0.5, sum);
  const Vec3 e0 = history[SIDE] != 0.0 ? vec3_of(history + TANGENT) : jager_8_vec3_across(n0);
  const Vec3 tumbled = jager_8_vec3_add_scaled(e0, -jager_8_vec3_dot(e0, n) / (1.0 + jager_8_vec3_dot(n0, n)), sum);
  const Vec3 across = jager_8_vec3_cross(n, tumbled);
  Movement m = {zeta0, 0.5 * gm->delta, {0.0, 0.0}, n, tumbled, across};
  if (!moves)
    return m;

  const Vec3 turn_i = turn_of(gm, gm->omegai), turn_j = turn_of(gm, gm->omegaj);
  const double twirl = jager_8_pair_twirl(turn_j, turn_i, mean), cosine = 1.0 - 0.5 * twirl * twirl;
  m.e = jager_8_vec3_add_scaled(jager_8_vec3_scale(cosine, tumbled), twirl, across);
  m.e = jager_8_pair_unit(m.e);
  m.f = jager_8_vec3_cross(n, m.e);
  const Vec3 e_mean = jager_8_vec3_scale(0.5, jager_8_vec3_add(e0, m.e)), f_mean = jager_8_vec3_cross(mean, e_mean);
  const Vec3 du = surface_shift(gm, branch0, zeta0, mean, turn_i, turn_j);
  m.dxi[0] = 0.5 * jager_8_vec3_dot(du, e_mean);
  m.dxi[1] = 0.5 * jager_8_vec3_dot(du, f_mean);
  return m;
}

// ---- The force ------------------------------------------------------------------------------------------------------

struct Friction {
  double mu, inverse_kappa;
};

struct Answer {
  double ft[2];
  double output[OUTPUT_COUNT];
  bool slides;
  int status;
};

// C of Fn = C zeta^1.5, from the force of the normal model. The last C is kept if the difference is one of rounding, so
// that the contact need not be computed anew.
double stiffness_of(const GranularModel *gm, double last)
{
  const double zeta = 0.5 * gm->delta, stiffness = gm->Fnormal / (zeta * sqrt(zeta));
  return fabs(stiffness - last) <= 1e-12 * last ? last : stiffness;
}

// Moves the contact of the history if it is to be updated, and returns the force. Spheres that overlap without a
// contact are pressed straight; a new contact begins in the middle of the step, where the gap was closed.
template <typename Contact, typename Law, typename Force,
          jager_status Move(Contact *, Law, double, double, const double[2], Force *),
          Force ForceOf(const Contact *, Law), double ErrorOf(const Contact *, Law)>
Answer move_contact(const GranularModel *gm, Friction friction, const Movement &movement, double *history, bool moves)
{
  const Law law = {friction.mu, friction.inverse_kappa, 2.0, 0.0};
  Contact contact;
  Force force = {0.0, {0.0, 0.0}};
  read_contact(history, &contact);
  Answer answer = {{0.0, 0.0}, {0.0, 0.0, 0.0}, false, 0};
  if (moves) {
    const double stiffness = stiffness_of(gm, contact.stiffness), straight[2] = {0.0, 0.0};
    const double side = history[SIDE] < 0.0 ? -1.0 : 1.0;
    const double dxi[2] = {movement.dxi[0], side * movement.dxi[1]};
    if (history[SIDE] == 0.0)
      answer.status = Move(&contact, law, stiffness, movement.zeta0, straight, &force);
    if (answer.status == 0)
      answer.status = Move(&contact, law, stiffness, movement.zeta, dxi, &force);
    write_contact(&contact, history);
    history[SIDE] = side;
    memcpy(history + BRANCH, gm->dx, 3 * sizeof(double));
    write_vec3(movement.e, history + TANGENT);
  } else if (contact.points > 0) {
    force = ForceOf(&contact, law);
  }
  answer.ft[0] = force.ft[0];
  answer.ft[1] = history[SIDE] * force.ft[1];
  answer.slides = contact.state == JAGER_STATE_SLIDE;
  answer.output[STATE_OUT] = contact.state;
  answer.output[POINTS_OUT] = contact.points;
  answer.output[BOUND_OUT] = ErrorOf(&contact, law);
  return answer;
}

typedef Answer (*MoveContact)(const GranularModel *, Friction, const Movement &, double *, bool);

#define JAGER_MOVE_CONTACT(name)                                                                                       \
  move_contact<name, name##_law, name##_force, name##_move, name##_force_of, name##_error>

// NULL if there is none for this K
MoveContact move_contact_of(int points)
{
  return points == 8    ? JAGER_MOVE_CONTACT(jager_8)
         : points == 12 ? JAGER_MOVE_CONTACT(jager_12)
         : points == 16 ? JAGER_MOVE_CONTACT(jager_16)
         : points == 24 ? JAGER_MOVE_CONTACT(jager_24)
                        : static_cast<MoveContact>(nullptr);
}

} // namespace

// ---- Coefficients ---------------------------------------------------------------------------------------------------

GranSubModTangentialJager::GranSubModTangentialJager(GranularModel *model, LAMMPS *engine)
    : GranSubModTangential(model, engine), points(0), x_gammat(0.0), inverse_kappa(0.0), is_mixed(false)
{
  num_coeffs = COEFFICIENT_COUNT;
  nondefault_history_transfer = 1;
  k = damp = mu = 0.0;
  announce_output(this, first());
}

void GranSubModTangentialJager::coeffs_to_local()
{
  x_gammat = coeffs[DAMPING_RATIO];
  mu = coeffs[FRICTION];
  points = coeffs[POINTS] >= 0.0 && coeffs[POINTS] <= 1024.0 ? static_cast<int>(coeffs[POINTS]) : 0;
  if (!(x_gammat >= 0.0))
    error->all(FLERR, "Tangential jager: x_gammat is {}, but must not be negative", x_gammat);
  if (!(mu >= 0.0 && mu <= 1e6))
    error->all(FLERR, "Tangential jager: mu is {}, but must be from 0 to 1e6", mu);
  if (points != coeffs[POINTS] || !move_contact_of(points))
    error->all(FLERR, "Tangential jager: K is {}, but must be 8, 12, 16 or 24", coeffs[POINTS]);

  size_history = FIRST_POINT + POINT_SIZE * points;
  delete[] transfer_history_factor;
  transfer_history_factor = new double[size_history];
  for (int i = 0; i < size_history; i++)
    transfer_history_factor[i] = i < MIRRORED ? -1.0 : 1.0;
}

// Friction and damping as the other tangential sub-models; the mean of Poisson's ratios
void GranSubModTangentialJager::mix_coeffs(double *icoeffs, double *jcoeffs)
{
  if (icoeffs[POINTS] != jcoeffs[POINTS])
    error->all(FLERR, "Tangential jager: K must be the same for all types, but is {} and {}", icoeffs[POINTS],
               jcoeffs[POINTS]);
  const bool from_normal = icoeffs[POISSON] == -1.0 || jcoeffs[POISSON] == -1.0;
  coeffs[POISSON] = from_normal ? -1.0 : mix_mean(icoeffs[POISSON], jcoeffs[POISSON]);
  coeffs[DAMPING_RATIO] = mix_geom(icoeffs[DAMPING_RATIO], jcoeffs[DAMPING_RATIO]);
  coeffs[FRICTION] = mix_geom(icoeffs[FRICTION], jcoeffs[FRICTION]);
  coeffs[POINTS] = icoeffs[POINTS];
  is_mixed = true;
  coeffs_to_local();
}

double GranSubModTangentialJager::poisson() const
{
  if (coeffs[POISSON] != -1.0) // NULL
    return coeffs[POISSON];
  if (!gm->normal_model->get_material_properties())
    error->all(FLERR,
               "Tangential jager: nu is NULL, but the normal model {} has none: give a number, or use "
               "hertz/material",
               gm->normal_model->name);
  return gm->normal_model->get_poiss();
}

// Fn over contact radius and overlap, 4/3 E*
double GranSubModTangentialJager::normal_stiffness()
{
  const double *normal = gm->normal_model->coeffs;
  if (!gm->normal_model->get_material_properties())
    return normal[0];
  if (is_mixed) // LAMMPS stores E* in place of E
    return 4.0 / 3.0 * normal[0];
  const double e = gm->normal_model->get_emod(), nu = gm->normal_model->get_poiss();
  return 4.0 / 3.0 * (gm->contact_type == PAIR ? mix_stiffnessE(e, e, nu, nu) : mix_stiffnessE_wall(e, nu));
}

void GranSubModTangentialJager::init()
{
  const std::string &normal = gm->normal_model->name;
  if (normal != "hertz" && normal != "hertz/material")
    error->all(FLERR,
               "Tangential jager needs a normal force of Hertz without cohesion: the normal model must be hertz "
               "or hertz/material, not {}",
               normal);
  const double nu = poisson();
  if (!(nu > -1.0 && nu <= 0.5))
    error->all(FLERR, "Tangential jager: nu is {}, but must be above -1 and at most 0.5", nu);
  inverse_kappa = 2.0 * (1.0 - nu) / (2.0 - nu);
  k = 1.5 * normal_stiffness() * inverse_kappa; // tangential stiffness over contact radius, for twisting marshall
}

// ---- Forces ---------------------------------------------------------------------------------------------------------

// PairGranular transfers histories as if those of the sub-models of this pair of types followed one another. That is so
// unless another pair of types has a longer history for one of them.
void GranSubModTangentialJager::check_order()
{
  int next = 0;
  for (int i = 0; i < NSUBMODELS && gm->contact_type == PAIR; i++) {
    if (gm->sub_models[i]->size_history > 0 && gm->sub_models[i]->history_index != next)
      error->one(FLERR, "Tangential jager: all pairs of types must have the same sub-models and the same K: LAMMPS "
                        "would mix up their histories");
    next += gm->sub_models[i]->size_history;
  }
}

// The dashpot of the damping model, unless the contact slides. The sum is never larger than friction.
void GranSubModTangentialJager::add_dashpot(bool slides)
{
  damp = x_gammat * gm->damping_model->get_damp_prefactor();
  if (slides || damp == 0.0)
    return;
  double square = 0.0;
  for (int i = 0; i < 3; i++) {
    gm->fs[i] -= damp * gm->vtr[i];
    square += gm->fs[i] * gm->fs[i];
  }
  const double limit = mu * gm->Fnormal;
  for (int i = 0; i < 3 && square > limit * limit; i++)
    gm->fs[i] *= limit / sqrt(square);
}

void GranSubModTangentialJager::calculate_forces()
{
  double *history = gm->history + history_index;
  const bool moves = gm->history_update != 0;
  gm->fs[0] = gm->fs[1] = gm->fs[2] = 0.0;
  if (!moves)
    check_order();
  if (!(gm->delta > 0.0 && gm->Fnormal > 0.0)) { // the surfaces just meet, to rounding
    if (moves)
      memset(history, 0, size_history * sizeof(double));
    return;
  }
  const Friction friction = {mu, inverse_kappa};
  const Movement movement = movement_of(gm, history, moves);
  const Answer answer = move_contact_of(points)(gm, friction, movement, history, moves);
  if (answer.status != 0)
    error->one(FLERR, "Tangential jager: a contact cannot be moved; are positions and velocities finite?");
  write_vec3(jager_8_vec3_add_scaled(jager_8_vec3_scale(-answer.ft[0], movement.e), -answer.ft[1], movement.f), gm->fs);
  add_dashpot(answer.slides);
  write_output(this, gm, answer.output, first());
}
