export const SYSTEM_ACCOUNT_ID = 'agent_house00000';

export const resolvePosterId = (poster: string | null): string => poster ?? SYSTEM_ACCOUNT_ID;
