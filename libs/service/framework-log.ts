import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

type Level = 'trace' | 'warn' | 'error' | 'fatal';

const isStack = (text: string) => text.includes('\n');

/** Writes Nest's lines to the process's log. Lines about a successful start go to `trace`. */
export class FrameworkLog implements LoggerService {
  constructor(private readonly destination: Logger) {}

  readonly fatal = this.writerFor('fatal');
  readonly error = this.writerFor('error');
  readonly warn = this.writerFor('warn');
  readonly log = this.writerFor('trace');
  readonly debug = this.writerFor('trace');
  readonly verbose = this.writerFor('trace');

  /** Nest passes the name of the logger last, and before it an error or its stack, even if the message is the error. */
  private writerFor(level: Level) {
    return (message: unknown, ...more: unknown[]): void => {
      const err = [message, ...more].find(each => each instanceof Error);
      const texts = more.filter(each => typeof each === 'string');
      const stack = err ? undefined : texts.find(isStack);
      const msg = typeof message === 'string' ? message : err ? err.message : inspect(message);
      this.destination[level]({ from: texts.findLast(text => !isStack(text)), stack, err }, msg);
    };
  }
}
