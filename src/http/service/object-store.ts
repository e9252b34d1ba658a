import type { Upload } from '../../domain/uploads/upload.ts'
import type { World } from '../../world/world.ts'

/** A store outside of the mock, which takes files itself. The mock signs their addresses, and never sees the bytes. */
export interface ObjectStore {
  /** Returns the key for an upload whose own key would be `key`, so that no earlier mock can have stored a file under it. */
  keyFor(key: string, fileName: string): string
  /** Returns the address at which the store takes the file of an upload within a real time. */
  uploadUrl(upload: Upload, seconds: number): string
  /**
   * Looks for the file of a session that is about to be confirmed, and records it if the store has it. Rejects with an
   * `UnavailableError` if the store cannot say.
   */
  noteStored(
    sessionId: string,
    enter: <Result>(use: (world: World) => Result) => Result | Promise<Result>,
  ): Promise<void>
  /** Ends what the store does meanwhile. */
  close(): void
}
