// SPDX-License-Identifier: MIT
// The contacts of one rank: the pairs of the neighbour list, an array of contacts, and a pool with their histories.
// Does not depend on LAMMPS.
#ifndef JAGER_LAMMPS_CONTACT_STORE_H
#define JAGER_LAMMPS_CONTACT_STORE_H

#include "pair_contact.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace jager_lammps
{

// An array of contacts, each on four cache lines of its own. In C++11 a std::vector needs a special allocator for this
// alignment, and with it does not use memcpy to grow, which is valid for contacts.
class ContactArray
{
public:
  ContactArray() : items(nullptr), count(0), room(0)
  {
  }
  ~ContactArray()
  {
    free(items);
  }
  ContactArray(const ContactArray &) = delete;
  ContactArray &operator=(const ContactArray &) = delete;

  pair_contact *data()
  {
    return items;
  }
  const pair_contact *data() const
  {
    return items;
  }
  uint32_t size() const
  {
    return count;
  }
  size_t bytes() const
  {
    return room * sizeof(pair_contact);
  }

  uint32_t append()
  {
    if (count == room)
      grow();
    memset(static_cast<void *>(items + count), 0, sizeof *items); // contacts start as zeroed memory
    return count++;
  }
  void clear()
  {
    count = 0;
  }
  void swap(ContactArray &other)
  {
    std::swap(items, other.items);
    std::swap(count, other.count);
    std::swap(room, other.room);
  }

private:
  pair_contact *items;
  uint32_t count, room;

  void grow()
  {
    uint32_t more = room + room / 2 + 64;
    void *memory;
    const size_t line = 64, page = 2 << 20, bytes = more * sizeof(pair_contact);
    if (posix_memalign(&memory, bytes >= page ? page : line, bytes) != 0)
      throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (bytes >= page) // a hint: huge pages hold 8,192 contacts each instead of 16, and need fewer TLB entries
      madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    if (count > 0)
      memcpy(memory, items, count * sizeof(pair_contact));
    free(items);
    items = static_cast<pair_contact *>(memory);
    room = more;
  }
};

enum { NO_CONTACT = -1 };
static const size_t NOT_LISTED = static_cast<size_t>(-1);

// A pair of the neighbour list. p is the first sphere of the contact: the one with the smaller tag when the spheres
// began to touch. This does not depend on the rank that has the pair, nor on which of the two is a ghost.
struct ListedPair {
  int p, q;    // local indices of the atoms
  int contact; // or NO_CONTACT
  size_t slot;
};

// Pairs that touch and pairs that do not are kept in separate lists: in one list, branch prediction would often fail.
// Few pairs change the list in a step.
class ContactStore
{
public:
  ContactArray contacts;
  std::vector<ListedPair> touching, apart;
  std::vector<int> slots;     // for each pair of the neighbour list, its contact or NO_CONTACT
  std::vector<size_t> starts; // for each owned atom, the index of its first pair in `slots`, or NOT_LISTED
  jager_pool *pool;
  pair_sums sums;

  ContactStore() : pool(jager_pool_create(0)), sums()
  {
    if (!pool)
      throw std::bad_alloc();
  }
  ~ContactStore()
  {
    jager_pool_destroy(pool);
  }
  ContactStore(const ContactStore &) = delete;
  ContactStore &operator=(const ContactStore &) = delete;

  // The slots of an owned atom, in the order of its neighbours
  int *slots_of(int i)
  {
    return slots.data() + starts[i];
  }
  const int *slots_of(int i) const
  {
    return slots.data() + starts[i];
  }

  // Adds a pair of the new neighbour list. Pairs are added in the order of the list.
  void add(int p, int q, int contact)
  {
    ListedPair pair = {p, q, contact, slots.size()};
    (contact == NO_CONTACT ? apart : touching).push_back(pair);
    slots.push_back(contact);
  }

  // Moves pair k of `apart` to the end of `touching`. The caller must initialise its contact.
  const ListedPair &touch(size_t k)
  {
    ListedPair pair = apart[k];
    apart[k] = apart.back();
    apart.pop_back();
    pair.contact = take();
    slots[pair.slot] = pair.contact;
    touching.push_back(pair);
    return touching.back();
  }

  // Moves pair k of `touching` to the end of `apart` and releases its contact.
  void part(size_t k)
  {
    ListedPair pair = touching[k];
    touching[k] = touching.back();
    touching.pop_back();
    jager_contact_release(pool, &contacts.data()[pair.contact].contact);
    vacant.push_back(pair.contact);
    pair.contact = slots[pair.slot] = NO_CONTACT;
    apart.push_back(pair);
  }

  // Prefetches a contact into the cache.
  void fetch(int number) const
  {
    const char *at = reinterpret_cast<const char *>(contacts.data() + number);
    for (int line = 0; line < 4; line++)
      __builtin_prefetch(at + 64 * line);
  }

  // Removes all pairs before a new neighbour list is read.
  void forget_pairs(size_t atoms)
  {
    touching.clear();
    apart.clear();
    slots.clear();
    starts.assign(atoms, NOT_LISTED);
  }

  // Replaces the contacts by `others`, those of the pairs of a new neighbour list. The caller must have released the
  // contacts that are not among them.
  void replace(ContactArray &others)
  {
    contacts.swap(others);
    vacant.clear();
  }

  double bytes() const
  {
    return static_cast<double>(contacts.bytes() + jager_pool_bytes(pool) + slots.capacity() * sizeof(int) +
                               starts.capacity() * sizeof(size_t) +
                               (touching.capacity() + apart.capacity()) * sizeof(ListedPair));
  }

private:
  std::vector<int> vacant;

  int take()
  {
    if (vacant.empty())
      return static_cast<int>(contacts.append());
    int number = vacant.back();
    vacant.pop_back();
    return number;
  }
};

} // namespace jager_lammps

#endif
