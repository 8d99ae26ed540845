/** The money of the story, in millionths of a dollar: what the faucet gives, the wage, and its fee of 5 %. */
export const FUNDS = 1_000_000_000n;
export const WAGE = 10_000_000n;
export const FEE = 500_000n;
