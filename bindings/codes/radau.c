/* calls:
 * RADAU(N,FCN,X,Y,XEND,H,RTOL,ATOL,ITOL,JAC,IJAC,MLJAC,MUJAC,MAS,IMAS,MLMAS,MUMAS,SOLOUT,IOUT,
 *              WORK,LWORK,IWORK,LIWORK,RPAR,IPAR,IDID) */
#define ROUTINE radau_
#define NAME "RADAU"
#define VARIANTS "index3 index2 index1 ggl minimal"
#include "radau5.c"
