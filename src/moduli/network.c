/* SPDX-License-Identifier: MIT */
/* From a simulation to its elastic network. */
#include "network.h"
#include "dem/space/contact_walk.h"

#include <stdlib.h>

/* Springs of the contact: no contact sticks without friction. */
static jager_stiffness stiffness_of(const jager_law *law, const jager_contact *contact)
{
  jager_stiffness stiffness = {0.0, 0.0};
  (void)jager_contact_stiffness(law, contact, &stiffness); /* the contact was made with this law */
  if (!(law->friction > 0.0))
    stiffness.tangential = 0.0;
  return stiffness;
}

static moduli_contact contact_of(const dem_simulation *s, const contact_walk *at)
{
  double zeta = jager_contact_zeta(&at->contact);
  jager_stiffness stiffness = stiffness_of(&s->law, &at->contact);
  vec3 n = frame_normal(&at->frame), e = at->frame.axis, f = vec3_cross(n, e);
  double sticks =
      s->law.friction > 0.0 ? 1.0 : 0.0; /* shear forces end in the next step, if friction has become zero */
  return (moduli_contact){
      .p = at->p,
      .q = at->q,
      .n = n,
      .shear = vec3_add(vec3_scale(sticks * at->frame.ft[0], e), vec3_scale(sticks * at->frame.ft[1], f)),
      .distance = vec3_length(at->frame.branch),
      .arm_p = s->bodies[at->p].radius - zeta,
      .arm_q = s->bodies[at->q].radius - zeta,
      .fn = jager_contact_fn(&at->contact),
      .kn = stiffness.normal,
      .kt = stiffness.tangential};
}

bool moduli_network_take(moduli_network *network, const dem_simulation *s, error_info *error)
{
  double volume = dem_cell_volume(s->cell);
  *network = (moduli_network){.sphere_count = s->count,
                              .radius = malloc((s->count + 1) * sizeof *network->radius),
                              .contacts = malloc((s->contact_count + 1) * sizeof *network->contacts),
                              .volume = volume,
                              .density = s->run->material.density * s->solid_volume / volume,
                              .friction = s->law.friction};
  if (!network->radius || !network->contacts) {
    moduli_network_free(network);
    return error_out_of_memory(error);
  }
  for (size_t i = 0; i < s->count; i++)
    network->radius[i] = s->bodies[i].radius;
  for (contact_walk at = contact_walk_start(s); contact_walk_next(&at);)
    if (jager_contact_zeta(&at.contact) > 0.0)
      network->contacts[network->contact_count++] = contact_of(s, &at);
  return true;
}

void moduli_network_free(moduli_network *network)
{
  free(network->radius);
  free(network->contacts);
  *network = (moduli_network){.sphere_count = 0};
}

static vec3 force_of(const moduli_contact *c)
{
  return vec3_subtract(vec3_scale(c->fn, c->n), c->shear);
}

void moduli_network_stress(const moduli_network *network, double stress[3][3])
{
  for (int i = 0; i < 9; i++)
    stress[i / 3][i % 3] = 0.0;
  for (size_t k = 0; k < network->contact_count; k++) {
    const moduli_contact *c = &network->contacts[k];
    vec3 f = force_of(c), l = vec3_scale(c->distance, c->n);
    const double force[3] = {f.x, f.y, f.z}, branch[3] = {l.x, l.y, l.z};
    for (int i = 0; i < 9; i++)
      stress[i / 3][i % 3] += force[i / 3] * branch[i % 3] / network->volume;
  }
}

double moduli_network_unbalanced(const moduli_network *network)
{
  vec3 *resultant = calloc(network->sphere_count + 1, sizeof *resultant);
  if (!resultant)
    return -1.0;
  double normal = 0.0, sum = 0.0;
  for (size_t k = 0; k < network->contact_count; k++) {
    const moduli_contact *c = &network->contacts[k];
    resultant[c->p] = vec3_subtract(resultant[c->p], force_of(c));
    resultant[c->q] = vec3_add(resultant[c->q], force_of(c));
    normal += c->fn;
  }
  for (size_t i = 0; i < network->sphere_count; i++)
    sum += vec3_length(resultant[i]);
  free(resultant);
  return normal > 0.0 ? sum / (double)network->sphere_count / (normal / (double)network->contact_count) : 0.0;
}
