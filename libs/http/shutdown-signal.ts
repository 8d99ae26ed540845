/** Aborted when the service begins to stop. Requests no longer wait then. */
export class ShutdownSignal {
  constructor(readonly signal: AbortSignal) {}
}
