// SPDX-License-Identifier: MIT
// Reads the contact law of an input script: G nu friction [keyword value]...
#ifndef JAGER_LAMMPS_LAW_READER_H
#define JAGER_LAMMPS_LAW_READER_H

#include "jager/pair.h"

#include "pointers.h"

namespace jager_lammps
{

// The law of all contacts of two materials, and of the dashpots beside them
struct Law {
  jager_law contact;
  jager_dashpot dashpot;

  // JAGER_ERROR_CORRUPT if the stiffness of a contact does not follow from this law and these radii, up to rounding
  jager_status check_stiffness(const jager_contact &contact, double radius_p, double radius_q) const;
};

// The coefficients of a pair of types. Restart files contain the bytes of this structure.
struct Material {
  jager_body body, other; // `other` is used only if is_dissimilar
  double friction, tolerance, dp_max, viscous, slope, exponent;
  int contour, is_dissimilar;

  Material();

  // The law of this material. Stops LAMMPS with a message that begins with `command` if the coefficients are invalid.
  Law law(LAMMPS_NS::LAMMPS *lmp, const std::string &command) const;

  // The coefficients of contacts between two materials
  static Material mix(const Material &a, const Material &b);
};

class LawReader : protected LAMMPS_NS::Pointers
{
public:
  LawReader(LAMMPS_NS::LAMMPS *engine, const std::string &command_name, int count, char **arguments)
      : Pointers(engine), command(command_name), narg(count), arg(arguments), at(0)
  {
  }

  // Reads G nu friction and the keywords of the law, up to the first unknown word or the end.
  Material read();

  bool has_more() const
  {
    return at < narg;
  }
  bool is_word(const char *) const; // whether the next argument is this word
  std::string word(const char *what);
  double number(const char *what);
  bool number_or_null(const char *what, double &); // false if the argument is NULL
  [[noreturn]] void fail(const std::string &) const;

private:
  std::string command;
  int narg;
  char **arg;
  int at;

  bool read_keyword(Material &);
};

} // namespace jager_lammps

#endif
