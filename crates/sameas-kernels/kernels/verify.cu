// The verifier as the consumer of every access path.
#include "equi_join.h"
#include "tiles.h"
#include "verify.h"

KERNEL(tiles_dense_verify, TilesRun, KERNEL_BOUNDS(TILE_THREADS, 4)) { tiles_dense<Verify>(args); }
KERNEL(tiles_light_verify, TilesRun, KERNEL_BOUNDS(TILE_THREADS, 4)) { tiles_light<Verify>(args); }
KERNEL(equi_join_probe_verify_u32, EquiJoinProbe, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) {
    equi_join_probe<u32, Verify>(args);
}
KERNEL(equi_join_probe_verify_u64, EquiJoinProbe, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) {
    equi_join_probe<u64, Verify>(args);
}

KERNEL(tiles_dense_verify_recursively, TilesRun, KERNEL_BOUNDS(TILE_THREADS, 4)) { tiles_dense<VerifyRecursively>(args); }
KERNEL(tiles_light_verify_recursively, TilesRun, KERNEL_BOUNDS(TILE_THREADS, 4)) { tiles_light<VerifyRecursively>(args); }
KERNEL(equi_join_probe_verify_recursively_u32, EquiJoinProbe, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) {
    equi_join_probe<u32, VerifyRecursively>(args);
}
KERNEL(equi_join_probe_verify_recursively_u64, EquiJoinProbe, KERNEL_BOUNDS(EQUI_JOIN_THREADS, 4)) {
    equi_join_probe<u64, VerifyRecursively>(args);
}
