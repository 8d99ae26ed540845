import { expect, jest, test } from '@jest/globals';
import { Binary, type MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { TransactionPool } from '#libs/platform/mongodb/transaction.js';

const IDS = [new Binary(Buffer.alloc(16, 1), Binary.SUBTYPE_UUID)];

function transactions(answer: () => Promise<unknown>) {
  const commands: unknown[] = [];
  let sessions = 0;
  const command = (command: unknown) => {
    commands.push(command);
    return answer();
  };
  const session = () => ({ id: { id: new Binary(Buffer.alloc(16, (sessions += 1)), Binary.SUBTYPE_UUID) } });
  const client = { startSession: session, db: () => ({ command }) };
  return { made: new TransactionPool(client as unknown as MongoClient), commands };
}

test('ends open transactions of a dead process by their session ids', async () => {
  const { made, commands } = transactions(() => Promise.resolve({ ok: 1 }));
  await made.endAll(IDS);
  await made.endAll([]);
  expect(commands).toEqual([{ killSessions: [{ id: IDS[0] }] }]);
  expect(new Set(made.ids.map(id => id.toString('hex'))).size).toBe(made.ids.length);
});

test('warns once when the server refuses to end a session', async () => {
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

test('rejects with a network error when the server is unreachable', async () => {
  const { made } = transactions(() => Promise.reject(new MongoNetworkError('connection closed')));
  await expect(made.endAll(IDS)).rejects.toThrow(MongoNetworkError);
});
