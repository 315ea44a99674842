type Method = {
  /** Whether it needs an author. */
  isChange: boolean;
  /** Whether it is refused while there is no space. */
  mayStore: boolean;
};

const reading: Method = { isChange: false, mayStore: false };
const freeing: Method = { isChange: true, mayStore: false };
const storing: Method = { isChange: true, mayStore: true };

export const methods = {
  GET: reading,
  HEAD: reading,
  PROPFIND: reading,
  PROPPATCH: storing,
  MKCOL: storing,
  PUT: storing,
  DELETE: freeing,
  COPY: storing,
  MOVE: storing,
  LOCK: storing,
  UNLOCK: freeing,
} satisfies Record<string, Method>;

export type MethodName = keyof typeof methods;

export const isMethod = (name: string): name is MethodName => Object.hasOwn(methods, name);

export const allowed = ["OPTIONS", ...Object.keys(methods)].join(", ");
