// SPDX-License-Identifier: MIT
// The contacts of one rank, which libjager holds and moves, and the lists of pairs that do and do not touch.
// Does not depend on LAMMPS.
#ifndef JAGER_LAMMPS_CONTACT_STORE_H
#define JAGER_LAMMPS_CONTACT_STORE_H

#include "jager/pairs.h"

#include <algorithm>
#include <new>
#include <vector>

namespace jager_lammps
{

// What is kept of a contact beside its history: force of the dashpots in the last step, work of the tangential spring
// force since the spheres began to touch
typedef jager_pair_account Beside;

// How far x_q - x_p has moved since the last forces, at the end of a run: some fixes move atoms after the forces of a
// step (fix deform with remap x). This belongs to the next step.
struct Pending {
  double by[3];
};

// A pair of the neighbour list that does not touch
struct ApartPair {
  int p, q; // local indices of the atoms
};

// The local axes of a contact
struct Axes {
  jager_vec3 n, e, f;

  // The force on the second sphere
  jager_vec3 force(double fn, const double *ft) const
  {
    return {jager_pair_force(fn, ft[0], ft[1], n.x, e.x, f.x), jager_pair_force(fn, ft[0], ft[1], n.y, e.y, f.y),
            jager_pair_force(fn, ft[0], ft[1], n.z, e.z, f.z)};
  }
  // The torque on a sphere with the lever arm ζ - R
  jager_vec3 torque(double arm, const double *ft) const
  {
    return {arm * jager_pair_moment(ft[0], ft[1], e.x, f.x), arm * jager_pair_moment(ft[0], ft[1], e.y, f.y),
            arm * jager_pair_moment(ft[0], ft[1], e.z, f.z)};
  }
};

// Pairs that touch and pairs that do not are kept in separate lists, since few pairs change the list in a step. The
// first sphere of a pair is the one with the smaller tag when the spheres began to touch. This does not depend on the
// rank that has the pair, nor on which of the two is a ghost.
class ContactStore
{
public:
  jager_pairs *contacts;
  std::vector<jager_pair> touching;
  std::vector<ApartPair> apart;
  std::vector<Beside> beside;   // by the number of the contact
  std::vector<Pending> pending; // likewise; from the end of a run to the first step of the next, else empty
  double work, viscous;         // sums over all contacts and steps: work of tangential forces, dissipation of dashpots

  ContactStore() : contacts(jager_pairs_create(0)), work(0.0), viscous(0.0), index_is_valid(false)
  {
    if (!contacts)
      throw std::bad_alloc();
  }
  ~ContactStore()
  {
    jager_pairs_destroy(contacts);
  }
  ContactStore(const ContactStore &) = delete;
  ContactStore &operator=(const ContactStore &) = delete;

  // ---- Single contacts ----

  jager_contact view(uint32_t number) const
  {
    jager_contact contact = jager_contact();
    jager_pairs_view(contacts, number, &contact);
    return contact;
  }

  // Springs and dashpots in the last step
  jager_force force(const jager_contact &contact, uint32_t number) const
  {
    jager_force total = jager_contact_force(&contact);
    total.fn += beside[number].dashpot[0];
    total.ft[0] += beside[number].dashpot[1];
    total.ft[1] += beside[number].dashpot[2];
    return total;
  }

  Axes axes(uint32_t number) const
  {
    double branch[3] = {0.0, 0.0, 0.0}, axis[3] = {0.0, 0.0, 0.0};
    jager_pairs_frame(contacts, number, branch, axis);
    const jager_vec3 along = {branch[0], branch[1], branch[2]}, e = {axis[0], axis[1], axis[2]};
    const jager_vec3 n = jager_vec3_scale(1.0 / jager_vec3_length(along), along);
    return {n, e, jager_vec3_cross(n, e)};
  }

  // The pair of atoms i and j, in either order, or null
  const jager_pair *find(int i, int j)
  {
    if (!index_is_valid)
      make_index();
    for (int turn = 0; turn < 2; turn++, std::swap(i, j)) {
      uint32_t k = static_cast<size_t>(i) < first_pair.size() ? first_pair[i] : JAGER_NONE;
      for (; k != JAGER_NONE; k = next_pair[k])
        if (touching[k].q == static_cast<uint32_t>(j))
          return &touching[k];
    }
    return nullptr;
  }

  Pending pending_of(uint32_t number) const
  {
    return number < pending.size() ? pending[number] : Pending();
  }

  void set_pending(uint32_t number, const Pending &of)
  {
    if (number >= pending.size())
      pending.resize(number + 1, Pending());
    pending[number] = of;
  }

  // ---- Pairs begin and cease to touch ----

  // Adds a pair with its contact.
  void add(const jager_pair &pair, const Beside &known)
  {
    if (pair.contact >= beside.size())
      beside.resize(pair.contact + 1, Beside());
    beside[pair.contact] = known;
    touching.push_back(pair);
    index_is_valid = false;
  }

  // Replaces pair k of `apart`, whose spheres touch now, by the last one.
  void drop_apart(size_t k)
  {
    apart[k] = apart.back();
    apart.pop_back();
  }

  // Adds what the pairs [first, end) have done in a step to the sums.
  void add_up(const jager_sums &of)
  {
    work += of.account_work;
    viscous += of.viscous;
  }

  // The same with newton off: a pair with an atom from `here` on is on two ranks, and half of it counts.
  void add_up_shared(size_t first, size_t end, const jager_pair_motion *motions, uint32_t here)
  {
    double work_now = 0.0, viscous_now = 0.0;
    for (size_t k = first; k < end; k++) {
      const jager_pair_motion &m = motions[k - first];
      const jager_pair &pair = touching[k];
      if (pair.contact == JAGER_NONE)
        continue;
      const double weight = pair.p < here && pair.q < here ? 1.0 : 0.5;
      const double share = m.zeta0 < 0.0 ? m.zeta / (m.zeta - m.zeta0) : 1.0; // of the step, for which they touched
      work_now += weight * (share * ((m.ft0[0] + m.ft[0]) * m.dxi[0] + (m.ft0[1] + m.ft[1]) * m.dxi[1]));
      viscous_now += weight * m.dissipated;
    }
    work += work_now;
    viscous += viscous_now;
  }

  // Notes which of the pairs [first, end) have parted in a step: `ended` of them.
  void note_parted(size_t first, size_t end, size_t ended)
  {
    for (size_t k = first; ended > 0 && k < end; k++)
      if (touching[k].contact == JAGER_NONE)
        parted.push_back(k);
  }

  // Limits the dashpots of a pair that was moved in the setup of a run to what they can do: the normal force is never
  // tensile, and a contact that slides has no tangential dashpot.
  void limit_dashpots(const jager_pair &pair, double fn)
  {
    if (pair.contact == JAGER_NONE)
      return;
    double *dashpot = beside[pair.contact].dashpot;
    const jager_contact contact = view(pair.contact);
    dashpot[0] = std::max(dashpot[0], -fn);
    if (jager_contact_state(&contact) == JAGER_STATE_SLIDE)
      dashpot[1] = dashpot[2] = 0.0;
  }

  // Orders the first `count` pairs that touch: first those that are as they were. Returns their number.
  template <typename Test> size_t put_moved_last(size_t count, Test has_moved)
  {
    const auto begin = touching.begin(), end = begin + static_cast<std::ptrdiff_t>(count);
    if (std::none_of(begin, end, has_moved))
      return count;
    index_is_valid = false;
    return std::stable_partition(begin, end, [&](const jager_pair &pair) { return !has_moved(pair); }) - begin;
  }

  // Moves the pairs that have parted to `apart`.
  void drop_parted()
  {
    for (; !parted.empty(); parted.pop_back()) { // from the last one to the first: those behind it touch
      const jager_pair &pair = touching[parted.back()];
      apart.push_back({static_cast<int>(pair.p), static_cast<int>(pair.q)});
      touching[parted.back()] = touching.back();
      touching.pop_back();
      index_is_valid = false;
    }
  }

  // ---- New neighbour lists ----

  void forget_pairs()
  {
    touching.clear();
    apart.clear();
    index_is_valid = false;
  }

  // Pairs of one law follow each other, and contacts have the order of their pairs in memory. Contacts without a pair
  // end.
  jager_status arrange()
  {
    std::stable_sort(touching.begin(), touching.end(),
                     [](const jager_pair &a, const jager_pair &b) { return a.law < b.law; });
    std::vector<uint32_t> order;
    std::vector<Beside> ordered;
    std::vector<Pending> ordered_pending;
    order.reserve(touching.size());
    ordered.reserve(touching.size() + touching.size() / 8);
    for (jager_pair &pair : touching) {
      ordered.push_back(beside[pair.contact]);
      if (!pending.empty())
        ordered_pending.push_back(pending_of(pair.contact));
      order.push_back(pair.contact);
      pair.contact = static_cast<uint32_t>(order.size() - 1);
    }
    beside.swap(ordered);
    pending.swap(ordered_pending);
    return jager_pairs_arrange(contacts, order.data(), order.size());
  }

  double bytes() const
  {
    return static_cast<double>(
        jager_pairs_bytes(contacts) + beside.capacity() * sizeof(Beside) + pending.capacity() * sizeof(Pending) +
        touching.capacity() * sizeof(jager_pair) + apart.capacity() * sizeof(ApartPair) +
        (first_pair.capacity() + next_pair.capacity()) * sizeof(uint32_t) + parted.capacity() * sizeof(size_t));
  }

private:
  std::vector<size_t> parted;                  // indices in `touching`, rising
  std::vector<uint32_t> first_pair, next_pair; // for `find`: of each first sphere, of each pair; or JAGER_NONE
  bool index_is_valid;

  void make_index()
  {
    first_pair.clear();
    next_pair.resize(touching.size());
    for (uint32_t k = 0; k < touching.size(); k++) {
      const uint32_t p = touching[k].p;
      if (p >= first_pair.size())
        first_pair.resize(p + 1, JAGER_NONE);
      next_pair[k] = first_pair[p];
      first_pair[p] = k;
    }
    index_is_valid = true;
  }
};

} // namespace jager_lammps

#endif
