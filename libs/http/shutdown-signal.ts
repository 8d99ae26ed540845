export class ShutdownSignal {
  constructor(readonly signal: AbortSignal) {}
}
