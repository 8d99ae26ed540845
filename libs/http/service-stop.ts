/** Aborted when the service is told to stop: from then on no request waits for anything to happen. */
export class ServiceStop {
  constructor(readonly signal: AbortSignal) {}
}
