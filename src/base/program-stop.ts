/** Thrown by the host to stop a running program. The program cannot catch it. */
export class ProgramStop extends Error {}
