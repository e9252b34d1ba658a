/** The contract as types, for other clients than ours. */
export type { components, operations, paths } from './contract/types.gen.ts'
