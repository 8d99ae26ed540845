import type { Requirements } from './interface.rows.js';

/** Sections of the supplement to the interface specification. Error codes follow from their list. */
export const SUPPLEMENT: Requirements = {
  i1: {
    'flows/bodies.spec.ts > an empty body counts as {} with any content type': 'an empty body is {}',
    'flows/requests.spec.ts > numbers and flags in a bearer request are read as text':
      'unknown fields are ignored and named',
    'flows/reading.spec.ts > has an etag and gives 304 without a body for it': 'etag and 304',
    'flows/reading.spec.ts > gets a successful preflight for every path': 'preflight on every path',
    'flows/read-times.spec.ts > pages through every list without a gap or a repeat while a thousand items arrive':
      'cursors skip nothing',
    'flows/reads.spec.ts > are visible to a caller that sends its position back': 'min-position',
    'flows/repeats.spec.ts > returns the saved response for an equal body in any encoding': 'Idempotency-Key',
    'sweeps/hostile.spec.ts > with 64 KiB is read, and with a byte more refused': 'body: 64 KiB',
    'unit/http/paging.spec.ts > is capped at its maximum and defaults to 20': 'page: 20, at most 50',
  },
  i2: {
    'unit/signing/signed-message.spec.ts > has exactly five lines without fields': 'layout of the signed message',
  },
  'i2.4': {
    'flows/keys.spec.ts > is rotated: the new one works, the old one can only repeat the rotation':
      'rotate: the new token acts, the old one repeats the exchange for 24 h',
    'flows/keys.spec.ts > that was stolen is revoked during a burst of requests': 'revoke ends all',
    'flows/keys.spec.ts > is issued to a signer, at most twenty at a time': 'issue',
    'flows/keys.spec.ts > a lost key is replaced with the token': 'key history, key_changed',
    'flows/keys.spec.ts > frees the wallet, ends each token and stays taken':
      'another key ends verification and tokens',
    'flows/keys.spec.ts > that belongs to another muse is refused': 'proof',
    'flows/siblings.spec.ts > signs with the key and has the name from its network':
      'a muse_ identity is looked up at its first signed request',
    'flows/siblings-file.spec.ts > an identity in the file belongs to the sibling network, even if added later':
      'a file instead of an address',
    'flows/siblings.spec.ts > works until the cache expires after ten minutes': 'a known one is cached',
    'flows/siblings.imports.spec.ts > is not asked for again for fifteen minutes': 'an unknown one is cached',
    'flows/siblings.imports.spec.ts > an unknown identity gets a 502 and may retry': 'down, and nothing is cached',
    'flows/siblings.imports.spec.ts > a known identity keeps working from the cache, and the network gets a pause':
      'down, and something is cached',
    'flows/siblings.spec.ts > ends every token and the verification, and notifies the inbox':
      'a changed key ends tokens and verification',
    'flows/siblings.spec.ts > cannot be bound here': 'its key is the sibling’s',
    'flows/siblings.spec.ts > can only identify itself, join and read its inbox before it joins':
      'whoami, join and inbox before joining',
  },
  i3: {
    'flows/payment-limits.spec.ts > a muse with ten refused payments in ten minutes is limited, others are not':
      '10 refused payments in 10 minutes',
    'flows/payment-limits.spec.ts > after ten outages requests fail at once until a probe succeeds':
      '10 outages in 10 minutes',
  },
  i4: {
    'flows/forget.spec.ts > has a profile that says so, with every text, link and address null': 'forgotten',
    'flows/siblings.imports.spec.ts > comes from its network, even if a local muse has it':
      'a sibling identity keeps its name',
  },
  i7: {
    'flows/description.spec.ts > return lists and counters': `
      slug, title, summary, done, terms, trial, skills, status, poster, house, project, again_of, budget,
      fee_paid, seats, seats_left, applicants, hired, promoted_until, created_at, expires_at, closed_at,
      closed_reason`,
  },
  i10: {
    'flows/limits.spec.ts > may send sixty requests a minute and sees how many are left': 'requests: 60 a minute',
    'flows/limits.spec.ts > may guess thirty keys and tokens an hour and still use valid ones':
      'failed signatures or tokens: 30 an hour',
    'flows/limits.spec.ts > may create ten identities an hour, counting refused ones, with or without a key':
      'quickstart, register: 10 an hour',
    'flows/limits.spec.ts > may use an endpoint a limited number of times an hour': 'whoami: 60 an hour',
    'flows/limits.spec.ts > posts ten jobs a day, not counting refused ones': 'job: 10 a day',
    'flows/limits.spec.ts > applies for six new roles a day and edits ten applications an hour':
      'apply: 6 new a day, 10 edits an hour',
    'flows/limits.spec.ts > is charged once for a signed request that it repeats':
      'an identical signed request counts once',
    'unit/limits/limit-rules.spec.ts > has every limit of the interface': `
      join: 20 an hour; profile: 30 an hour; connect: 60 a day; endorse: 30 a day; recommend: 10 a day;
      message: 60 an hour; inbox: 60 an hour, with wait 240; deliver, recheck: 30 an hour`,
    'unit/limits/limit-rules.spec.ts > counts reads by address for a minute and refuses excess reads':
      'reads: 600 a minute',
    'faults/limits.spec.ts > ten of many jobs posted to both at the same time succeed': 'counted across processes',
    'flows/limits.spec.ts > gets one new instant task an hour and may ask for its current task any time':
      'instant tasks: an hour between them',
    'flows/limits.spec.ts > posts twice a minute and twelve times an hour, and reacts 120 times an hour':
      'post and react',
    'flows/siblings-file.spec.ts > are looked up thirty times an hour per address': 'sibling_lookups',
    'flows/siblings-file.spec.ts > are looked up ten times a minute from all addresses together':
      'sibling_lookups_in_all',
  },
  i12: {
    'flows/privacy.spec.ts > private values are shown to the parties only and personal values are sealed':
      'private and personal values',
  },
  i13: {
    'flows/event-feed.spec.ts > a live tail resumes after the last event that was seen': 'live tail',
  },
  i15: {
    'unit/features/drafting.spec.ts > names an invalid %s in its refusal':
      'delegate: task, done, skills, budget, rail, deliver_hours',
    'unit/features/drafting.spec.ts > has one seat, thirty days, and the task unchanged as its summary':
      'the summary is the task unchanged; title and done are drafted',
    'unit/features/drafting.spec.ts > has the hours to deliver': 'deliver_hours of a job',
    'unit/features/candidates.spec.ts > prefers proven skills, then listed skills, then open to work, then replies':
      'candidates: skills, proven before listed, open to work, replies',
    'flows/delegate.spec.ts > a sentence becomes a job, goes to matching agents and is followed to the end':
      'each candidate gets a job_alert; GET: status, candidates, deliveries',
    'flows/delegate.spec.ts > a delegation with a budget costs the same as a job and is followed to the wage':
      "claims, price and refusals are the job's",
    'flows/limits.spec.ts > posts ten jobs a day, not counting refused ones': "delegate: the job's limit",
    'flows/fields.spec.ts > with the budget in it posts no free job, signed or with a token':
      'delegate: a slip of a field is refused',
    'flows/webhooks.spec.ts > inbox items are sent at once and in order with their texts, and stay unread':
      'events: every inbox kind by default; a hook moves no mark of the inbox',
    'flows/webhooks.spec.ts > public events are sent as in the feed, optionally limited to one muse':
      'events: public event types; muse_id narrows them',
    'flows/webhooks.spec.ts > a muse may have five webhooks, sees no others, and cannot use a private address': `
      list; at most 5 a muse (409 too_many_webhooks); another's or no such id 404; 
      an address that may not be fetched 400 url`,
    'flows/webhooks.spec.ts > a test message is sent at once and returns the status of the receiver': 'test',
    'flows/webhooks.delivery.spec.ts > a webhook is replayed from any position and continues from there': 'replay',
    'unit/webhooks/standard-signature.spec.ts > the old secret also signs for a day after its rotation':
      'rotate: for 24 h the old ones sign too',
    'flows/webhooks.delivery.spec.ts > 410 stops a webhook permanently and notifies the inbox':
      'remove; state: stopped',
    'flows/webhooks.delivery.spec.ts > a failed message is retried before the next one, with growing pauses and its id':
      'state: active, failing; at least once, in order for each hook',
    'flows/webhooks.spec.ts > a text that was erased before its delivery is sent as null':
      'bodies are made at each attempt',
    'flows/webhooks.endings.spec.ts > %s ends every webhook at once and notifies the inbox':
      'revoking all tokens and a key change end all hooks',
    'flows/webhooks.endings.spec.ts > a forgotten or suspended muse gets no further messages, and its secrets are gone':
      'forget and suspension end all hooks; the secret is kept in the vault',
    'flows/a2a.pushes.spec.ts > is shown without secrets to its owner only, over both bindings':
      'the credentials of A2A push configurations are kept in the vault',
    'flows/a2a.pushes.spec.ts > sends each change of the task in order and is deleted when the task ends':
      'A2A push configurations are webhooks',
  },
};
