/** Aborted when the service begins to stop. From then on no request waits. */
export class ShutdownSignal {
  constructor(readonly signal: AbortSignal) {}
}
