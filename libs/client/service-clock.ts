/** The service's time as far as this client knows it: its own clock, corrected by what the service said. */
export class ServiceClock {
  private offsetMs = 0;

  constructor(private readonly local: () => number) {}

  /** Unix ms, as the service counts. */
  now(): number {
    return this.local() + this.offsetMs;
  }

  /** Unix ms of this machine: for measuring how long something takes. */
  localNow(): number {
    return this.local();
  }

  learn(serverTime: number): void {
    this.offsetMs = serverTime - this.local();
  }
}
