import type { Upload } from '../../domain/uploads/upload.ts'

/** A store outside of the mock, which takes files itself. The mock signs their addresses, and never sees the bytes. */
export interface ObjectStore {
  /** Returns the key for an upload whose own key would be `key`, so that no earlier mock can have stored a file under it. */
  keyFor(key: string, fileName: string): string
  /** Returns the address at which the store takes the file of an upload within a real time. */
  uploadUrl(upload: Upload, seconds: number): string
  /** Resolves with true if the store has the file of an upload. Rejects with an `UnavailableError` if it cannot say. */
  holds(upload: Upload): Promise<boolean>
  /** Ends what the store does meanwhile. */
  close(): void
}
