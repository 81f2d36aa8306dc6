// SPDX-License-Identifier: MIT
#include "law_reader.h"

#include "error.h"
#include "utils.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace LAMMPS_NS;

namespace jager_lammps
{

// ---- Laws and materials ---------------------------------------------------------------------------------------------

jager_status Law::check_stiffness(const jager_contact &given, double radius_p, double radius_q) const
{
  jager_contact fresh = jager_contact();
  const jager_status status = jager_contact_init(&fresh, &contact, radius_p, radius_q);
  if (status != JAGER_OK)
    return status;
  const double expected = jager_contact_coefficient(&fresh);
  return fabs(jager_contact_coefficient(&given) - expected) <= 1e-9 * expected ? JAGER_OK : JAGER_ERROR_CORRUPT;
}

Material::Material()
    : body(), other(), friction(0.0), tolerance(0.0), dp_max(0.0), viscous(0.0), slope(0.0), exponent(0.0),
      contour(JAGER_CONTOUR_SPHERE), is_dissimilar(0)
{
}

Law Material::law(LAMMPS *lmp, const std::string &command) const
{
  Law whole = {jager_law_default(), jager_dashpot()};
  jager_law &law = whole.contact;
  jager_status status = is_dissimilar ? jager_law_set_dissimilar_bodies(&law, body, other)
                                      : jager_law_set_bodies(&law, body.shear_modulus, body.poisson);
  if (status == JAGER_OK)
    status = jager_law_set_friction(&law, friction);
  if (status == JAGER_OK)
    status = jager_law_set_tolerance(&law, tolerance);
  if (status == JAGER_OK)
    status = jager_law_set_dp_max(&law, dp_max);
  if (status == JAGER_OK)
    status = jager_law_set_contour(&law, static_cast<jager_contour>(contour), slope, exponent);
  if (status != JAGER_OK)
    lmp->error->all(FLERR, command + ": " + jager_status_text(status));
  status = jager_dashpot_init(&whole.dashpot, &law, viscous);
  if (status == JAGER_ERROR_DAMPING)
    lmp->error->all(FLERR, command + ": damping must be a share of critical damping, in [0, 1]");
  if (status != JAGER_OK)
    lmp->error->all(FLERR, command + ": " + jager_status_text(status));
  return whole;
}

Material Material::mix(const Material &a, const Material &b)
{
  Material mixed = a;
  mixed.other = b.body;
  mixed.is_dissimilar = 1;
  mixed.friction = sqrt(a.friction * b.friction);
  mixed.viscous = sqrt(a.viscous * b.viscous);
  mixed.tolerance = std::fmin(a.tolerance, b.tolerance);
  mixed.dp_max = std::fmin(a.dp_max, b.dp_max);
  return mixed;
}

// ---- Reading --------------------------------------------------------------------------------------------------------

void LawReader::fail(const std::string &what) const
{
  error->all(FLERR, "Illegal " + command + " command: " + what);
}

bool LawReader::is_word(const char *expected) const
{
  return has_more() && strcmp(arg[at], expected) == 0;
}

std::string LawReader::word(const char *what)
{
  if (!has_more())
    fail(std::string(what) + " is missing at the end");
  return arg[at++];
}

double LawReader::number(const char *what)
{
  std::string text = word(what);
  char *end = nullptr;
  double value = strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !std::isfinite(value))
    fail(std::string("'") + text + "' is no number where " + what + " is needed");
  return value;
}

bool LawReader::number_or_null(const char *what, double &value)
{
  if (is_word("NULL")) {
    at++;
    return false;
  }
  value = number(what);
  return true;
}

bool LawReader::read_keyword(Material &m)
{
  if (is_word("tolerance")) {
    at++;
    m.tolerance = number("the value of tolerance");
  } else if (is_word("dp_max")) {
    at++;
    m.dp_max = number("the value of dp_max");
  } else if (is_word("damping")) {
    at++;
    m.viscous = number("the value of damping");
  } else if (is_word("contour")) {
    at++;
    std::string name = word("the shape behind contour");
    jager_contour contour;
    if (jager_contour_from_name(name.c_str(), &contour) != JAGER_OK)
      fail("there is no contour '" + name + "': take sphere, cone SLOPE, or power SLOPE EXPONENT");
    m.contour = contour;
    m.slope = contour == JAGER_CONTOUR_SPHERE ? 0.0 : number("the slope of the contour");
    m.exponent = contour == JAGER_CONTOUR_POWER ? number("the exponent of the contour") : 0.0;
  } else if (is_word("other")) {
    at++;
    m.is_dissimilar = 1;
    bool is_rigid = is_word("rigid");
    if (is_rigid)
      at++;
    m.other.shear_modulus =
        is_rigid ? std::numeric_limits<double>::infinity() : number("the other body's shear modulus");
    m.other.poisson = is_rigid ? m.body.poisson : number("the other body's Poisson's ratio");
  } else
    return false;
  return true;
}

Material LawReader::read()
{
  Material m;
  m.body.shear_modulus = number("the shear modulus G");
  m.body.poisson = number("Poisson's ratio nu");
  m.friction = number("the friction coefficient");
  while (read_keyword(m))
    ;
  return m;
}

} // namespace jager_lammps
