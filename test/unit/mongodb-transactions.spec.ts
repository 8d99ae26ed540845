import { expect, jest, test } from '@jest/globals';
import { Binary, type MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { TransactionPool } from '#libs/platform/mongodb/transaction-pool.js';

const IDS = [new Binary(Buffer.alloc(16, 1), Binary.SUBTYPE_UUID)];

/** A client whose only command is answered by `answer`. */
function transactions(answer: () => Promise<unknown>) {
  const commands: unknown[] = [];
  let sessions = 0;
  const command = (asked: unknown) => {
    commands.push(asked);
    return answer();
  };
  const session = () => ({ id: { id: new Binary(Buffer.alloc(16, (sessions += 1)), Binary.SUBTYPE_UUID) } });
  const client = { startSession: session, db: () => ({ command }) };
  return { made: new TransactionPool(client as unknown as MongoClient), commands };
}

test('what a dead process has left open is ended by the names of its sessions', async () => {
  const { made, commands } = transactions(() => Promise.resolve({ ok: 1 }));
  await made.endAll(IDS);
  await made.endAll([]);
  expect(commands).toEqual([{ killSessions: [{ id: IDS[0] }] }]);
  expect(new Set(made.ids.map(id => id.toString('hex'))).size).toBe(made.ids.length);
});

test('a server that refuses to end a session is waited for, as is said once', async () => {
  const refused = new MongoServerError({ message: 'not authorized', code: 13 });
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const { made } = transactions(() => Promise.reject(refused));
  await made.endAll(IDS);
  await made.endAll(IDS);
  expect(warn.mock.calls.map(([said]) => String(said))).toEqual([
    expect.stringMatching(/killSessions.*not authorized/),
  ]);
  warn.mockRestore();
});

test('a server that is away is an outage, and not a refusal', async () => {
  const { made } = transactions(() => Promise.reject(new MongoNetworkError('connection closed')));
  await expect(made.endAll(IDS)).rejects.toThrow(MongoNetworkError);
});
