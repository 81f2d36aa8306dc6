/* SPDX-License-Identifier: MIT */
/*
 * Frames (paper, "Contact frame rotations"): from two particles in space to ζ and Δξ in the contact's own axes.
 *
 * The unit quaternion q turns global vectors into local ones, v_local = q v q*, and the global normal n onto local z.
 * In a step the pair tumbles (n turns) and twirls (turns about n by the mean of the particles' spins); if S is that
 * rotation in global axes, the axes go with it: q_new = q S*. (The printed update, q + ½ω q, has the factors in the
 * other order and is wrong; to first order the right one is q - ½ q ω.)
 *
 * A pair that moves as one rigid body must see no Δξ, whatever its rotation. The finite rotation by the vector θ is
 * Cayley's transform of θ' = 2 tan(θ/2) θ/|θ|: x_new - x_old = θ' × (x_new + x_old)/2. So with the mean normal
 * b = (n_old + n_new)/2 and arms h_p, h_q, the relative movement of the two surfaces at the contact,
 *
 *     Δu = shift - θ'_q × (h_q b) - θ'_p × (h_p b),
 *
 * is zero to rounding when θ_p = θ_q = θ and shift = θ' × (h_p + h_q) b, and has an error of second order only in what
 * the particles move against each other. Its tangential part in the mean axes is 2Δξ.
 */
#include "internal.h"

typedef struct vec3 {
  double x, y, z;
} vec3;

typedef struct quaternion {
  double w, x, y, z;
} quaternion;

static vec3 vec3_of(const double v[3])
{
  return (vec3){v[0], v[1], v[2]};
}

static vec3 add_scaled(vec3 a, double s, vec3 b)
{
  return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot3(vec3 a, vec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec3 cross(vec3 a, vec3 b)
{
  return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
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
static vec3 turn(quaternion q, vec3 v)
{
  vec3 u = {q.x, q.y, q.z};
  vec3 t = cross(u, v);
  t = add_scaled(t, 1.0, t);
  return add_scaled(add_scaled(v, q.w, t), 1.0, cross(u, t));
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

/* v / |v|, and |v|; false if v has no direction */
static bool direction_of(vec3 v, vec3 *unit, double *length)
{
  if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z))
    return false;
  double largest = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
  if (!(largest > 0.0))
    return false;
  vec3 scaled = {v.x / largest, v.y / largest, v.z / largest};
  double scaled_length = sqrt(dot3(scaled, scaled));
  *unit = (vec3){scaled.x / scaled_length, scaled.y / scaled_length, scaled.z / scaled_length};
  *length = largest * scaled_length;
  return true;
}

/*
 * The shortest rotation that takes one unit vector to another: (1 + a·b, a × b), made unit. Written with s = a + b, as
 * (s·s/2, a × s), nothing cancels when they are nearly opposite. Opposite vectors have no shortest one: half a turn
 * about any axis across them.
 */
static quaternion swing(vec3 from, vec3 to)
{
  vec3 sum = add_scaled(from, 1.0, to);
  vec3 axis = cross(from, sum);
  double square = dot3(sum, sum);
  if (square > 1e-30)
    return unit_quaternion((quaternion){0.5 * square, axis.x, axis.y, axis.z});
  vec3 across = fabs(from.x) < 0.6 ? (vec3){1.0, 0.0, 0.0} : (vec3){0.0, 1.0, 0.0};
  axis = cross(from, across);
  return unit_quaternion((quaternion){0.0, axis.x, axis.y, axis.z});
}

jager_status jager_frame_init(jager_frame *frame, const double normal[3])
{
  if (!frame || !normal)
    return JAGER_ERROR_NULL;
  vec3 n;
  double length;
  if (!direction_of(vec3_of(normal), &n, &length))
    return JAGER_ERROR_DIRECTION;
  set_frame(frame, swing(n, (vec3){0.0, 0.0, 1.0}));
  return JAGER_OK;
}

static vec3 normal_of(quaternion q)
{
  return turn(conjugate(q), (vec3){0.0, 0.0, 1.0});
}

void jager_frame_normal(const jager_frame *frame, double normal[3])
{
  vec3 n = normal_of(quaternion_of(frame));
  normal[0] = n.x;
  normal[1] = n.y;
  normal[2] = n.z;
}

/* tan(x)/x for |x| <= 1/4 from x²: Taylor, to rounding */
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

/* θ' = 2 tan(|θ|/2) θ/|θ|; a large angle is halved first: tan 2x = 2 tan x / (1 - tan² x). */
static vec3 cayley(vec3 theta)
{
  double x2 = 0.25 * dot3(theta, theta), factor;
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
  return (vec3){theta.x * factor, theta.y * factor, theta.z * factor};
}

/* Half a turn, less a little, squared: from there on Cayley's vector is infinite or of the other sense. */
#define SPIN_SQUARE_MAX 9.8696

static jager_status check_numbers(const jager_step *s)
{
  double length = fabs(s->radius_p) + fabs(s->radius_q), zero = 0.0 * s->radius_p + 0.0 * s->radius_q;
  for (int i = 0; i < 3; i++) {
    length += fabs(s->branch[i]) + fabs(s->shift[i]);
    zero += 0.0 * s->branch[i] + 0.0 * s->shift[i] + 0.0 * s->spin_p[i] + 0.0 * s->spin_q[i];
  }
  if (!(zero == 0.0)) /* 0 times NaN or infinity is NaN */
    return JAGER_ERROR_NOT_FINITE;
  if (!(s->radius_p >= 0.0 && s->radius_q >= 0.0) || !(s->radius_p > 0.0 || s->radius_q > 0.0))
    return JAGER_ERROR_RADIUS;
  vec3 spin_p = vec3_of(s->spin_p), spin_q = vec3_of(s->spin_q);
  bool turns_too_far = !(dot3(spin_p, spin_p) < SPIN_SQUARE_MAX && dot3(spin_q, spin_q) < SPIN_SQUARE_MAX);
  return turns_too_far || !(length <= JAGER_XI_MAX) ? JAGER_ERROR_TOO_LARGE : JAGER_OK;
}

static bool frame_is_unit(quaternion q)
{
  return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-6;
}

jager_status jager_frame_step(jager_frame *frame, const jager_step *step, jager_movement *movement)
{
  if (!frame || !step || !movement)
    return JAGER_ERROR_NULL;
  jager_status status = check_numbers(step);
  if (status != JAGER_OK)
    return status;
  quaternion q_old = quaternion_of(frame);
  vec3 n_new;
  double distance;
  if (!frame_is_unit(q_old) || !direction_of(vec3_of(step->branch), &n_new, &distance))
    return JAGER_ERROR_DIRECTION;
  vec3 n_old = normal_of(q_old);
  vec3 b = {0.5 * (n_old.x + n_new.x), 0.5 * (n_old.y + n_new.y), 0.5 * (n_old.z + n_new.z)};
  double zeta = 0.5 * (step->radius_p + step->radius_q - distance);
  /* Each arm reaches to the middle of the overlap, half the overlap 2ζ short of the surface. A wall (radius 0) has no
     arm: the contact lies on it. */
  double arm_p = step->radius_p > 0.0 ? (step->radius_q > 0.0 ? step->radius_p - zeta : distance) : 0.0;
  double arm_q = distance - arm_p;
  vec3 spin_p = cayley(vec3_of(step->spin_p)), spin_q = cayley(vec3_of(step->spin_q));

  vec3 du = vec3_of(step->shift);
  du = add_scaled(du, -arm_q, cross(spin_q, b));
  du = add_scaled(du, -arm_p, cross(spin_p, b));

  /* twirl: Cayley's vector of the mean spin along b; a quaternion is (1, θ'/2), made unit */
  vec3 mean = {0.5 * (spin_p.x + spin_q.x), 0.5 * (spin_p.y + spin_q.y), 0.5 * (spin_p.z + spin_q.z)};
  double tangent = 0.5 * dot3(mean, b); /* tan(ψ/2) */
  quaternion twirl = unit_quaternion((quaternion){1.0, tangent * n_new.x, tangent * n_new.y, tangent * n_new.z});
  quaternion turn_of_pair = multiply(twirl, swing(n_old, n_new));
  quaternion q_new = unit_quaternion(multiply(q_old, conjugate(turn_of_pair)));

  if (q_old.w * q_new.w + q_old.x * q_new.x + q_old.y * q_new.y + q_old.z * q_new.z < 0.0)
    q_new = (quaternion){-q_new.w, -q_new.x, -q_new.y, -q_new.z}; /* the same axes, the nearer sign */
  quaternion q_mean = {q_old.w + q_new.w, q_old.x + q_new.x, q_old.y + q_new.y, q_old.z + q_new.z};
  vec3 local = turn(unit_quaternion(q_mean), du);
  set_frame(frame, q_new);
  *movement = (jager_movement){.zeta = zeta, .dxi = {0.5 * local.x, 0.5 * local.y}};
  return JAGER_OK;
}

void jager_frame_force(const jager_frame *frame, const jager_force *force, double on_q[3])
{
  vec3 local = {-force->ft[0], -force->ft[1], force->fn};
  vec3 global = turn(conjugate(quaternion_of(frame)), local);
  on_q[0] = global.x;
  on_q[1] = global.y;
  on_q[2] = global.z;
}
