/** An object with the same names, of what `make` returns for each member. */
export const mapMembers = <M extends object, R>(members: M, make: (member: M[keyof M], name: string) => R) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, make(member as M[keyof M], name)])) as {
    readonly [K in keyof M]: R;
  };
