import type { Upload } from '../../domain/uploads/upload.ts'
import type { World } from '../../world/world.ts'

/** The parts of an upload's storage key. */
export interface KeyParts {
  readonly sessionId: string
  readonly fileName: string
}

/** Creates the identifiers that clients see (gap.identifier-format). Each must be new in its world. */
export interface Identifiers {
  workflow(world: World): string
  execution(world: World): string
  /** A UUID in lower case (interface.md section 2). */
  session(world: World): string
  /** Must begin with `tenants/`, a name of the world's tenant and a slash. */
  key(world: World, parts: KeyParts): string
  document(world: World, upload: Upload): string
}

export const ownIdentifiers: Identifiers = {
  workflow: ({ random }) => random.id('wf'),
  execution: ({ random }) => random.id('exe'),
  session: ({ random }) => random.uuid(),
  key: ({ tenantId, random }, { fileName }) => `tenants/${tenantId}/uploads/${random.id()}/${fileName}`,
  document: ({ random }) => random.id('doc'),
}
