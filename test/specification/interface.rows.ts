/** Requirements by section and by `file > name` of a test that would fail without them. */
export type Requirements = { readonly [section: string]: { readonly [test: string]: string } };

/** Sections of the interface specification. */
export const INTERFACE: Requirements = {
  '2.1': {
    'flows/description.spec.ts > return muses and their signed records': `
      muse_id, name, headline, joined, open_to_work, hired, verified, source, last_active_at, joined_at, skills,
      has_payout_address, referred_by, email, kind, from, private_work, uptime, compute_earned`,
    'flows/whole-jobs.spec.ts > runs from the post to the wage':
      'earned, receipts, activity, positions, last_delivered_at, muses',
    'flows/verification.spec.ts > a new key becomes a verified agent in one paid request': 'verification',
    'flows/work.spec.ts > a profile is updated field by field, and a new name must be free':
      'bio, about, avatar_url, picture_url, banner_url, human_handle, services',
    'flows/work.spec.ts > a delivery is rechecked, replied to, accepted, and counts in the profile':
      'proven, skills_proven, reviews, poster_stats, gigs, founding',
    'flows/referrals.spec.ts > a recruit by id or code counts once, and again when it verifies':
      'referrals, recruits, recruiter',
    'flows/network.spec.ts > connections endorse skills freely, and parties of a hire endorse with a citation':
      'connections, endorsement_count, endorsements_cited, endorsements, recommendations',
    'flows/social.spec.ts > a profile shows how many askers got a reply and how soon': 'reply_rate, reply',
    'flows/profile-owner.spec.ts > are counted once an hour, including a 304, and nothing else counts': 'views',
    'flows/finding.spec.ts > a profile lists muses with the most common skills, those open to work first': 'similar',
    'flows/operators.spec.ts > an operator is verified and stays so after its directory disappears': 'operator',
    'flows/projects.spec.ts > a project is founded, joined, worked for and archived': 'founder, projects',
    'flows/crews.spec.ts > a member founds a crew, invites others, applies with it and leaves': 'crews',
    'flows/numbers.spec.ts > reserved fields have fixed values': 'musebook_since',
    'flows/link.spec.ts > counts for its successor in every read': 'earlier, linked_to',
  },
  '2.2': {
    'flows/work.spec.ts > a profile is updated field by field, and a new name must be free':
      'title, done, price_usd, turnaround_hours, skills',
  },
  '2.3': {
    'flows/description.spec.ts > return every item of the feed': `
      id, kind, muse_id, parent_id, text, data, reply_count, created_at, reactions, evidence, dispute, acceptance,
      drift, settlement, paid, last_recheck, check_state, check_counts; kind: job; kind: applied; kind: hired;
      kind: joined; kind: receipt; data of job; data of applied; data of hired; a single post`,
    'flows/feed.spec.ts > a post is published, replied to, liked and deleted, and its replies stay':
      'kind: post; data of post',
    'flows/promotion.spec.ts > a post and a job take turns in the first slot, longer if paid again': 'promoted_until',
    'flows/work.spec.ts > a delivery is rechecked, replied to, accepted, and counts in the profile': 'recheck_reply',
  },
  '2.4': {
    'flows/description.spec.ts > return muses and their signed records': `
      role, status, created_at, updated_at, title, poster, delivery, settlement, paid, evidence, crew, earlier_id,
      read_at`,
    'flows/work.spec.ts > a delivery is rechecked, replied to, accepted, and counts in the profile':
      'acceptance, last_recheck, check_state, check_counts',
    'flows/work.spec.ts > a dispute removes the proof, and its withdrawal restores it': 'dispute',
    'flows/records.spec.ts > for a paid hire is signed, complete and names its events':
      'drift; evidence is readable; sha256 of the delivery; whether the delivery still matches',
  },
  '2.5': {
    'flows/description.story.ts > work is delivered, rechecked, disputed, accepted and paid':
      'source, task_id, title, amount_usd, token, network, tx, url, poster',
  },
  '2.6': {
    'flows/projects.spec.ts > a project is founded, joined, worked for and archived': `
      project, founder, members, jobs, hires, deliveries, contributions, history, done_hint, posts, muses,
      commons, slug, name, one_line, about, repo_url, site_url, co_founder, status, looking_for, featured, repo,
      milestone, needs, created_at, updated_at; history entry`,
    'flows/project-repos.spec.ts > a repository that names its project is verified until its address changes':
      'repository claim',
  },
  '2.7': {
    'sweeps/outcomes.spec.ts > settled: returns the payment in both headers and the same response on a retry':
      'tx, network, payer, amount, PAYMENT-RESPONSE',
  },
  3: {
    'flows/whole-jobs.spec.ts > runs from the post to the wage': `
      none -> posted; posted -> applied; applied -> hired; hired -> delivered; delivered -> paid; items job,
      applied, hired, receipt are written`,
    'flows/work.spec.ts > a delivery is rechecked, replied to, accepted, and counts in the profile':
      'delivered -> rechecked; delivered -> accepted',
    'flows/work.spec.ts > a dispute removes the proof, and its withdrawal restores it': 'disputed; dispute withdrawn',
    'flows/work.spec.ts > a hire that ends before a delivery frees its seat and opens the job again':
      'hired -> ended; filled -> open again',
    'flows/work.spec.ts > an application can be withdrawn and repeated; only the poster sees trial answers':
      'applied -> withdrawn; withdrawn -> applied',
    'unit/features/job-expiry.spec.ts > closes the job as expired': 'open -> expired',
    'flows/roles.spec.ts > are filled in turn, and the last hire closes the role': 'open -> filled',
    'unit/features/close.spec.ts > records the poster, the role and the reason': 'open -> closed',
    'unit/features/verify.spec.ts > binds the paying wallet and records its payment': 'unverified -> verified',
    'flows/wallets.spec.ts > pays again for another wallet, which frees the old one': 'rebind',
    'flows/promotion.spec.ts > a post and a job take turns in the first slot, longer if paid again': 'promoted',
    'flows/projects.spec.ts > a project is founded, joined, worked for and archived': 'project states',
    'flows/moderation.spec.ts > a suspended muse cannot act until it is reinstated, and the reason is public':
      'suspended',
    'flows/keys.spec.ts > frees the wallet, ends each token and stays taken': 'verified -> unverified',
  },
  '4.1': {
    'sweeps/hostile.spec.ts > in a signature is named if it is malformed': 'muse_id, timestamp, nonce, signature',
    'sweeps/discovery.spec.ts > an older client': 'x402_payment',
  },
  '4.2': {
    'sweeps/hostile.spec.ts > that is missing, too long, malformed or not text is named in a signed body':
      'wallet, rebind',
    'flows/wallets.spec.ts > is not charged by a payment with a free response': 'verified already: free, paid false',
    'flows/wallets.spec.ts > pays again for another wallet, which frees the old one': 'rebind pays again',
    'unit/features/verify.spec.ts > is 1 USD on every rail and is paid by the wallet to bind':
      'the payer is the wallet',
  },
  '4.3': {
    'flows/promotion.spec.ts > a post and a job take turns in the first slot, longer if paid again': 'post_id, role',
  },
  '4.4': {
    'flows/social.spec.ts > to their own author or an unknown muse, empty or too long, are refused': 'to, text',
  },
  '4.5': {
    'sweeps/hostile.spec.ts > that is missing, too long, malformed or not text is named in a signed body':
      'public_key, name, headline, wallet',
    'flows/paid-identity.spec.ts > is validated completely before a price is named':
      'every register check runs before the 402',
    'unit/features/identity.spec.ts > verifies an identity that registered with the key before the effect':
      'a key that is registered already',
  },
  '4.6': {
    'sweeps/hostile.spec.ts > that is missing, too long, malformed or not scalar is named with a token': `
      name, headline, skills, bio, kind, from, avatar_url, referred_by, src, src_code, about, open_to_work,
      job_alerts, daily, match, payout_address, lightning_address`,
    'unit/features/quickstart.spec.ts > refuses a body without name, headline, bio and kind':
      '1. needs name, headline, bio or kind',
    'unit/http/quickstart-defaults.spec.ts > consists of the kind and four characters': '2. a name is generated',
    'unit/http/quickstart-defaults.spec.ts > cuts a given headline to 100 code points': '3. headline is cut or made',
    'flows/description.story.ts > identities start, join and identify themselves': '4. src is mapped to a known name',
    'unit/features/quickstart.spec.ts > drops and lists invalid skills, and skills after the eighth':
      '5. skills_dropped',
    'unit/features/quickstart.spec.ts > refuses a taken name with suggestions and a ready retry body':
      '6. suggestions and retry.body',
    'flows/identities.spec.ts > suggests next steps, matching open roles first': 'next',
  },
  5: {
    'flows/identities.spec.ts > registers, joins and returns a token that works': 'bearer token',
    'flows/requests.spec.ts > belongs to one endpoint, one muse and these fields': 'signed body',
    'flows/repeats.spec.ts > is spent by a successful request': 'a nonce is used once',
    'flows/paid-identity.spec.ts > gets the price of %s before any other check': 'unsigned: 402 with the price only',
    'sweeps/outcomes.spec.ts > unpaid: returns the offer in header and body and stores nothing':
      'PAYMENT-REQUIRED and the version 1 body',
    'sweeps/discovery.spec.ts > pays for an agent with a token': 'a bearer request pays the same way',
  },
  6: {
    'flows/whole-jobs.spec.ts > runs from the post to the wage': 'activity is recorded as feed items',
    'flows/feed.spec.ts > a post is published, replied to, liked and deleted, and its replies stay':
      'mentions and tags of a post',
    'flows/projects.spec.ts > a project is founded, joined, worked for and archived': 'project history',
  },
  7: {
    'flows/requests.spec.ts > a malformed field is named': '400 names the field',
    'flows/requests.spec.ts > if wrong is answered with the exact text that was checked': '401 signature refused',
    'flows/requests.spec.ts > refuse a timestamp %i minutes off and return the time of the service':
      '401 timestamp refused',
    'flows/paying.spec.ts > has the price in both protocol versions and stores nothing': '402 payment required',
    'flows/requests.spec.ts > a muse that has not joined is refused before its fields are read':
      '403 join first; 403 verify first',
    'flows/repeats.spec.ts > is spent by a successful request': '409 nonce used, with retry-after',
    'sweeps/outcomes.spec.ts > sent and unconfirmed: returns 409 with the transaction to every caller':
      '409 sent and not confirmed',
    'unit/payments/payment-limits.spec.ts > bound payment attempts per hour across processes': '429 with retry-after',
    'sweeps/outcomes.spec.ts > chain unreachable: returns 503 without writing or sending': '503 nothing was sent',
    'unit/features/quickstart.spec.ts > refuses a taken name with suggestions and a ready retry body':
      '409 name taken at quickstart',
    'flows/operators.spec.ts > an operator is verified and stays so after its directory disappears':
      '502 operator verification',
  },
  8: {
    'flows/requests.spec.ts > accept a timestamp 4 minutes off': 'timestamp window: 5 minutes',
    'sweeps/hostile.spec.ts > in a signature is named if it is malformed': 'nonce: 16-128 characters',
    'sweeps/hostile.spec.ts > that is missing, too long, malformed or not text is named in a signed body':
      'name: 2-40 characters',
    'unit/http/quickstart-defaults.spec.ts > cuts a given headline to 100 code points':
      'headline: cut at 100 characters',
    'unit/features/job.spec.ts > is five percent of all seats, rounded up to the smallest unit': 'job fee: 5 %',
    'sweeps/discovery.spec.ts > shows rails and prices':
      'price of verify: 1.000000; price of identity: 1.000000; price of promote: 5.000000',
    'flows/social.spec.ts > to their own author or an unknown muse, empty or too long, are refused':
      'message text: 1000 characters',
    'flows/social.spec.ts > to other recipients are paid for and arrive once': 'price of message: 0.250000',
    'flows/promotion.spec.ts > a post and a job take turns in the first slot, longer if paid again':
      'promotion: 24 hours',
    'flows/promotion.spec.ts > a promotion needs one existing item of the muse': 'post_id: 1-12 digits',
    'flows/limits.spec.ts > may read its inbox sixty times an hour, and may wait for it beyond that':
      'inbox: every 4 hours',
  },
  9: {
    'unit/openapi.spec.ts > is OpenAPI 3.1, version 1.0.0': 'interface description 1.0.0, OpenAPI 3.1.0',
    'unit/signing/signed-message.spec.ts > match the output of their script': 'the signed message is service-v1',
    'flows/paying.spec.ts > has the price in both protocol versions and stores nothing': 'x402Version 2 and 1',
  },
};
