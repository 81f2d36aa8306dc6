/* SPDX-License-Identifier: MIT */
/*
 * Frames (paper, "Contact frame rotations"): from the movement of two particles in space to ζ and Δξ in the local axes
 * of their contact.
 *
 * The unit quaternion q turns global vectors into local ones, v_local = q v q*, and the global normal n into local z.
 * In a step the pair tumbles (n turns) and twirls (turns about n by the mean of the particles' spins). Let S be this
 * rotation in global axes; the local axes follow it: q_new = q S*. To first order this is q - ½ q ω. (The update that
 * the paper prints, q + ½ω q, is wrong: its factors are in the other order.)
 *
 * jager/pair.h defines the relative movement Δu of the two surfaces; here it holds for rotations up to half a turn.
 * Its tangential part in the mean axes is 2Δξ.
 */
#include "contour.h"
#include "jager/pair.h"

typedef struct quaternion {
  double w, x, y, z;
} quaternion;

static jager_vec3 vec3_of(const double v[3])
{
  return (jager_vec3){v[0], v[1], v[2]};
}

static quaternion multiply(quaternion a, quaternion b)
{
  return (quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static quaternion conjugate(quaternion q)
{
  return (quaternion){q.w, -q.x, -q.y, -q.z};
}

static quaternion unit_quaternion(quaternion q)
{
  double scale = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return (quaternion){q.w * scale, q.x * scale, q.y * scale, q.z * scale};
}

/* q v q*: global to local */
static jager_vec3 turn(quaternion q, jager_vec3 v)
{
  jager_vec3 u = {q.x, q.y, q.z};
  jager_vec3 t = jager_vec3_scale(2.0, jager_vec3_cross(u, v));
  return jager_vec3_add(jager_vec3_add_scaled(v, q.w, t), jager_vec3_cross(u, t));
}

static quaternion quaternion_of(const jager_frame *frame)
{
  return (quaternion){frame->q[0], frame->q[1], frame->q[2], frame->q[3]};
}

static void set_frame(jager_frame *frame, quaternion q)
{
  frame->q[0] = q.w;
  frame->q[1] = q.x;
  frame->q[2] = q.y;
  frame->q[3] = q.z;
}

/* v / |v| and |v|. False: v is zero or not finite. */
static bool direction_of(jager_vec3 v, jager_vec3 *unit, double *length)
{
  if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z))
    return false;
  double largest = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
  if (!(largest > 0.0))
    return false;
  jager_vec3 scaled = {v.x / largest, v.y / largest, v.z / largest};
  double scaled_length = jager_vec3_length(scaled);
  *unit = (jager_vec3){scaled.x / scaled_length, scaled.y / scaled_length, scaled.z / scaled_length};
  *length = largest * scaled_length;
  return true;
}

/*
 * The shortest rotation from one unit vector a to another b: (1 + a·b, a × b), normalised. Written with s = a + b as
 * (s·s/2, a × s), it has no cancellation where they are nearly opposite. Between opposite vectors it is half a turn
 * about any perpendicular axis.
 */
static quaternion swing(jager_vec3 from, jager_vec3 to)
{
  jager_vec3 sum = jager_vec3_add(from, to);
  jager_vec3 axis = jager_vec3_cross(from, sum);
  double square = jager_vec3_dot(sum, sum);
  if (square > 1e-30)
    return unit_quaternion((quaternion){0.5 * square, axis.x, axis.y, axis.z});
  axis = jager_vec3_across(from);
  return unit_quaternion((quaternion){0.0, axis.x, axis.y, axis.z});
}

jager_status jager_frame_init(jager_frame *frame, const double normal[3])
{
  if (!frame || !normal)
    return JAGER_ERROR_NULL;
  jager_vec3 n;
  double length;
  if (!direction_of(vec3_of(normal), &n, &length))
    return JAGER_ERROR_DIRECTION;
  set_frame(frame, swing(n, (jager_vec3){0.0, 0.0, 1.0}));
  return JAGER_OK;
}

static jager_vec3 normal_of(quaternion q)
{
  return turn(conjugate(q), (jager_vec3){0.0, 0.0, 1.0});
}

/* A local vector in global axes */
static void turn_back(const jager_frame *frame, jager_vec3 local, double global[3])
{
  jager_vec3 v = turn(conjugate(quaternion_of(frame)), local);
  global[0] = v.x;
  global[1] = v.y;
  global[2] = v.z;
}

void jager_frame_normal(const jager_frame *frame, double normal[3])
{
  turn_back(frame, (jager_vec3){0.0, 0.0, 1.0}, normal);
}

/* tan(x)/x as a function of x², |x| <= 1/4: Taylor's series, exact to rounding */
static double tan_over_x(double x2)
{
  static const double c[] = {1.0,
                             1.0 / 3.0,
                             2.0 / 15.0,
                             17.0 / 315.0,
                             62.0 / 2835.0,
                             1382.0 / 155925.0,
                             21844.0 / 6081075.0,
                             929569.0 / 638512875.0,
                             6404582.0 / 10854718875.0,
                             443861162.0 / 1856156927625.0,
                             18888466084.0 / 194896477400625.0,
                             113927491862.0 / 2900518163668125.0};
  double sum = 0.0;
  for (int i = (int)(sizeof c / sizeof c[0]); i-- > 0;)
    sum = sum * x2 + c[i];
  return sum;
}

/* Cayley's vector 2 tan(|θ|/2) θ/|θ|. A large angle is halved first: tan 2x = 2 tan x / (1 - tan² x). */
static jager_vec3 cayley(jager_vec3 theta)
{
  double x2 = 0.25 * jager_vec3_dot(theta, theta), factor;
  int halvings = 0;
  while (x2 > 0.0625) {
    x2 *= 0.25;
    halvings++;
  }
  factor = tan_over_x(x2); /* tan(x)/x at the halved x */
  for (; halvings > 0; halvings--) {
    factor = factor / (1.0 - factor * factor * x2);
    x2 *= 4.0;
  }
  return (jager_vec3){theta.x * factor, theta.y * factor, theta.z * factor};
}

/* A little less than π²: at half a turn Cayley's vector is infinite. */
#define SPIN_SQUARE_MAX 9.8696

/* The radius as it counts in distances: a wall has none, because the branch ends on its surface. */
static double round_part(double radius)
{
  return isinf(radius) ? 0.0 : radius;
}

static jager_status check_numbers(const jager_step *s)
{
  double length = round_part(s->radius_p) + round_part(s->radius_q), zero = 0.0 * length;
  for (int i = 0; i < 3; i++) {
    length += fabs(s->branch[i]) + fabs(s->shift[i]);
    zero += 0.0 * s->branch[i] + 0.0 * s->shift[i] + 0.0 * s->spin_p[i] + 0.0 * s->spin_q[i];
  }
  if (!(zero == 0.0)) /* 0 times NaN or infinity is NaN; one test instead of fourteen */
    return JAGER_ERROR_NOT_FINITE;
  if (!(s->radius_p > 0.0 && s->radius_q > 0.0) || (isinf(s->radius_p) && isinf(s->radius_q)))
    return JAGER_ERROR_RADIUS;
  jager_vec3 spin_p = vec3_of(s->spin_p), spin_q = vec3_of(s->spin_q);
  bool turns_too_far =
      !(jager_vec3_dot(spin_p, spin_p) < SPIN_SQUARE_MAX && jager_vec3_dot(spin_q, spin_q) < SPIN_SQUARE_MAX);
  return turns_too_far || !(length <= JAGER_XI_MAX) ? JAGER_ERROR_TOO_LARGE : JAGER_OK;
}

static bool frame_is_unit(quaternion q)
{
  return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-6;
}

/*
 * Distance of the centres before the step; `distance` is that after it. Between particles the shift changes the branch.
 * The material of a wall may slide while the branch stays: there only the normal part of the shift counts.
 */
static double distance_before(const jager_step *step, double distance, jager_vec3 b)
{
  jager_vec3 shift = vec3_of(step->shift), normal;
  double before;
  if (!isinf(step->radius_p) && !isinf(step->radius_q))
    return direction_of(jager_vec3_subtract(vec3_of(step->branch), shift), &normal, &before) ? before : 0.0;
  double square = jager_vec3_dot(b, b);
  return square > 1e-30 ? distance - jager_vec3_dot(shift, b) / square : distance; /* opposite normals have no mean */
}

/* Δu. A wall has no arm, because the contact lies on its surface. */
static jager_vec3 surface_shift(const jager_step *step, double distance, jager_vec3 turn_p, jager_vec3 turn_q,
                                jager_vec3 b)
{
  double radii = round_part(step->radius_p) + round_part(step->radius_q),
         distance0 = distance_before(step, distance, b);
  double zeta0 = 0.5 * (radii - distance0), zeta = 0.5 * (radii - distance), arms = 0.5 * (distance0 + distance);
  double arm_p = isinf(step->radius_p)   ? 0.0
                 : isinf(step->radius_q) ? arms
                                         : jager_pair_arm(step->radius_p, zeta0, zeta);
  return jager_pair_surface_shift(vec3_of(step->shift), arm_p, turn_p, arms - arm_p, turn_q, b);
}

/* The axes after the step: they tumble from n_old to n_new and twirl. A rotation by Cayley's vector θ is the quaternion
   (1, θ/2), normalised. */
static quaternion turned_axes(quaternion q_old, jager_vec3 n_old, jager_vec3 n_new, double twirl)
{
  double tangent = 0.5 * twirl;
  quaternion about_n = unit_quaternion((quaternion){1.0, tangent * n_new.x, tangent * n_new.y, tangent * n_new.z});
  quaternion turn_of_pair = multiply(about_n, swing(n_old, n_new));
  quaternion q = unit_quaternion(multiply(q_old, conjugate(turn_of_pair)));
  bool is_near = q_old.w * q.w + q_old.x * q.x + q_old.y * q.y + q_old.z * q.z >= 0.0;
  return is_near ? q : (quaternion){-q.w, -q.x, -q.y, -q.z}; /* the same rotation, with the nearer sign */
}

jager_status jager_frame_step(jager_frame *frame, const jager_step *step, jager_movement *movement)
{
  if (!frame || !step || !movement)
    return JAGER_ERROR_NULL;
  jager_status status = check_numbers(step);
  if (status != JAGER_OK)
    return status;
  quaternion q_old = quaternion_of(frame);
  jager_vec3 n_new;
  double distance;
  if (!frame_is_unit(q_old) || !direction_of(vec3_of(step->branch), &n_new, &distance))
    return JAGER_ERROR_DIRECTION;
  jager_vec3 n_old = normal_of(q_old), b = jager_vec3_scale(0.5, jager_vec3_add(n_old, n_new));
  jager_vec3 turn_p = cayley(vec3_of(step->spin_p)), turn_q = cayley(vec3_of(step->spin_q));
  jager_vec3 du = surface_shift(step, distance, turn_p, turn_q, b);
  quaternion q_new = turned_axes(q_old, n_old, n_new, jager_pair_twirl(turn_p, turn_q, b));
  quaternion q_mean = {q_old.w + q_new.w, q_old.x + q_new.x, q_old.y + q_new.y, q_old.z + q_new.z};
  jager_vec3 local = turn(unit_quaternion(q_mean), du);
  set_frame(frame, q_new);
  *movement = (jager_movement){.zeta = 0.5 * (round_part(step->radius_p) + round_part(step->radius_q) - distance),
                               .dxi = {0.5 * local.x, 0.5 * local.y}};
  return JAGER_OK;
}

void jager_frame_force(const jager_frame *frame, const jager_force *force, double on_q[3])
{
  turn_back(frame, (jager_vec3){-force->ft[0], -force->ft[1], force->fn}, on_q);
}

/*
 * With the force F on q, the torques are (R_p - ζ) n × (-F) on p and -(R_q - ζ) n × F on q; in local axes
 * n × F = (Ft2, -Ft1, 0).
 */
void jager_frame_torques(const jager_frame *frame, const jager_force *force, double zeta, double radius_p,
                         double radius_q, double on_p[3], double on_q[3])
{
  const bool p_is_wall = isinf(radius_p), q_is_wall = isinf(radius_q);
  const double depth = p_is_wall || q_is_wall ? 2.0 * zeta : zeta;
  const double arm_p = p_is_wall ? 0.0 : radius_p - depth, arm_q = q_is_wall ? 0.0 : radius_q - depth;
  turn_back(frame, (jager_vec3){-arm_p * force->ft[1], arm_p * force->ft[0], 0.0}, on_p);
  turn_back(frame, (jager_vec3){-arm_q * force->ft[1], arm_q * force->ft[0], 0.0}, on_q);
}
