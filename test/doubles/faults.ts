import { setImmediate as turn } from 'node:timers/promises';
import { Unavailable } from '#libs/kernel/refusal.js';

/** `lost`: the call never arrived. `unanswered`: it was carried out, and its answer was lost. */
export type Fault = 'lost' | 'unanswered';

/** What goes wrong with the calls of one double, by the method's name. Each call also takes a turn of the event loop. */
export class Faults {
  private readonly planned = new Map<string, (Fault | null)[]>();
  private readonly lasting = new Map<string, Fault>();
  readonly calls: string[] = [];

  constructor(private readonly what: string) {}

  /** The next calls of a method, in order; null lets one through. */
  plan(method: string, ...faults: (Fault | null)[]): void {
    this.planned.set(method, faults);
  }

  /** Every call of the methods from now on. */
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
