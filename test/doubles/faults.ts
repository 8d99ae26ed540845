import { setImmediate as turn } from 'node:timers/promises';
import { Unavailable } from '#libs/kernel/refusal.js';

/** `lost`: the call never arrived. `unanswered`: it was executed but its response was lost. */
export type Fault = 'lost' | 'unanswered';

/** Planned faults of a double by method. Each call also takes a turn of the event loop. */
export class Faults {
  private readonly planned = new Map<string, (Fault | null)[]>();
  private readonly lasting = new Map<string, Fault>();
  readonly calls: string[] = [];

  constructor(private readonly what: string) {}

  /** Plans faults for the next calls of a method; null lets a call pass. */
  plan(method: string, ...faults: (Fault | null)[]): void {
    this.planned.set(method, faults);
  }

  failAll(fault: Fault, ...methods: string[]): void {
    methods.forEach(method => this.lasting.set(method, fault));
  }

  clear(): void {
    this.lasting.clear();
    this.planned.clear();
  }

  async run<T>(method: string, work: () => T | Promise<T>): Promise<T> {
    this.calls.push(method);
    const planned = this.planned.get(method)?.shift();
    const fault = planned === undefined ? this.lasting.get(method) : planned;
    await turn();
    if (fault === 'lost') throw new Unavailable(this.what);
    const answer = await work();
    if (fault === 'unanswered') throw new Unavailable(this.what);
    return answer;
  }
}
