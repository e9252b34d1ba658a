/** The contract as types, for whoever brings a client of their own. */
export type { components, operations, paths } from './contract/types.gen.ts'
