import { expect, test } from '@jest/globals';
import { Failures } from '#libs/outages/failures.js';
import { Unavailable } from '#libs/kernel/refusal.js';

test('an outage is told once until something has succeeded since, and any other failure each time', () => {
  const told: string[] = [];
  const failures = new Failures({ error: (_details, message) => void told.push(message) });
  const away = new Unavailable('The store');
  for (const error of [away, away, new Error('A defect'), new Error('A defect'), away])
    failures.add(error, error.message);
  expect(told).toEqual([away.message, 'A defect', 'A defect', away.message]);
  failures.add(away, 'still away');
  failures.end();
  failures.add(away, 'away again');
  expect(told.slice(4)).toEqual(['away again']);
});
