import type { OnChain } from './machine.js';
import { NotApplied } from './not-applied.js';

/** A final block shows an authorization as used, and no node shows in which transaction. */
export class NoUseFound extends Error {
  constructor() {
    super('The chain shows the authorization as used, and no RPC address shows where: name one that keeps its logs.');
    this.name = 'NoUseFound';
  }
}

/** Which payments of this process cannot go on without somebody's help. Each is reported when that begins, and counted. */
export class Troubles {
  private readonly unclear = new Set<string>();
  private readonly notApplied = new Set<string>();

  constructor(private readonly report: (error: unknown, payment: string) => void) {}

  /** How many payments the chain shows as used while no node shows where. */
  get unclearCount(): number {
    return this.unclear.size;
  }

  /** What a drive has seen on the chain. */
  saw(payment: string, onChain: OnChain | null): void {
    if (onChain === null) return;
    if (onChain.status !== 'unclear') this.unclear.delete(payment);
    else this.begin(this.unclear, payment, new NoUseFound());
  }

  failed(payment: string, error: unknown): void {
    if (error instanceof NotApplied) this.begin(this.notApplied, payment, error);
    else this.report(error, payment);
  }

  ended(payment: string): void {
    this.unclear.delete(payment);
    this.notApplied.delete(payment);
  }

  private begin(known: Set<string>, payment: string, error: Error): void {
    if (!known.has(payment)) this.report(error, payment);
    known.add(payment);
  }
}
