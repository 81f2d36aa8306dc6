/* SPDX-License-Identifier: MIT */
/*
 * Counts the messages of an MPI program, for scaling.sh: a library that is loaded before MPI (LD_PRELOAD) and prints at
 * MPI_Finalize, over all ranks, messages from rank to rank and their bytes, and collective calls and their bytes.
 *     mpicc -shared -fPIC -O2 -o mpi_count.so mpi_count.c
 * LAMMPS sends by the calls that are counted here; messages of a rank to itself count as well, but LAMMPS sends none.
 */
#include <mpi.h>
#include <stdio.h>

enum { MESSAGES, MESSAGE_BYTES, COLLECTIVES, COLLECTIVE_BYTES, COUNTS };

static double counts[COUNTS];

static void note(int what, int count, MPI_Datatype type)
{
  int size = 0;
  PMPI_Type_size(type, &size);
  counts[what] += 1.0;
  counts[what + 1] += (double)size * count;
}

int MPI_Send(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm world)
{
  note(MESSAGES, count, type);
  return PMPI_Send(from, count, type, to, tag, world);
}

int MPI_Rsend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm world)
{
  note(MESSAGES, count, type);
  return PMPI_Rsend(from, count, type, to, tag, world);
}

int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm world, MPI_Request *request)
{
  note(MESSAGES, count, type);
  return PMPI_Isend(from, count, type, to, tag, world, request);
}

int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm world, MPI_Status *status)
{
  note(MESSAGES, out_count, out_type);
  return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, world, status);
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm world)
{
  note(COLLECTIVES, count, type);
  return PMPI_Allreduce(from, to, count, type, operation, world);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm world)
{
  note(COLLECTIVES, count, type);
  return PMPI_Bcast(buffer, count, type, root, world);
}

int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int to_count, MPI_Datatype to_type,
                  MPI_Comm world)
{
  note(COLLECTIVES, count, type);
  return PMPI_Allgather(from, count, type, to, to_count, to_type, world);
}

int MPI_Allgatherv(const void *from, int count, MPI_Datatype type, void *to, const int *to_counts, const int *places,
                   MPI_Datatype to_type, MPI_Comm world)
{
  note(COLLECTIVES, count, type);
  return PMPI_Allgatherv(from, count, type, to, to_counts, places, to_type, world);
}

int MPI_Finalize(void)
{
  double sums[COUNTS], most[COUNTS];
  int rank;
  PMPI_Reduce(counts, sums, COUNTS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  PMPI_Reduce(counts, most, COUNTS, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(stderr, "mpi_count: sums %.0f %.0f %.0f %.0f largest %.0f %.0f %.0f %.0f\n", sums[MESSAGES],
            sums[MESSAGE_BYTES], sums[COLLECTIVES], sums[COLLECTIVE_BYTES], most[MESSAGES], most[MESSAGE_BYTES],
            most[COLLECTIVES], most[COLLECTIVE_BYTES]);
  return PMPI_Finalize();
}
