import { type ChecksumAlgorithm, checksumAlgorithms } from '../../checksums/algorithms.ts'
import type { Checksum } from '../../checksums/crc.ts'
import type { Incoming } from '../../wire/exchange.ts'
import type { ObjectWriter } from '../../world/objects.ts'
import { StorageError } from './storage-error.ts'

/** A checksum that a request header announces. */
export interface AnnouncedChecksum {
  readonly algorithm: AlgorithmName
  /** Computes the checksum; absent for those that the writer computes. */
  readonly checksum?: Checksum
  /** Throws a `StorageError` unless the bytes received have this checksum. */
  mustMatch(writer: ObjectWriter): void
}

type AlgorithmName = keyof typeof checksumAlgorithms
const algorithms = Object.keys(checksumAlgorithms) as AlgorithmName[]

/** Algorithms of S3 that the mock does not compute. They are refused, so that no checksum is accepted unverified. */
const unsupported = ['xxhash64', 'xxhash3', 'xxhash128']

/** Reads the checksums that the headers announce. Throws a `StorageError` if one is malformed. Computes nothing yet. */
export function readChecksums(incoming: Incoming): readonly AnnouncedChecksum[] {
  return [contentMd5(incoming), contentSha256(incoming), amzChecksum(incoming)].filter((one) => one !== undefined)
}

function contentMd5(incoming: Incoming): AnnouncedChecksum | undefined {
  const value = incoming.header('content-md5')
  if (value === undefined) return undefined
  const expected = fromBase64(value, checksumAlgorithms.md5.bytes)
  if (!expected) {
    throw new StorageError(
      'InvalidDigest',
      'The Content-MD5 you specified is not valid. Send the base64 of the 16 bytes of the digest.',
      { fields: { 'Content-MD5': value } },
    )
  }
  return announcedChecksum('md5', expected, (actual) => {
    return new StorageError(
      'BadDigest',
      'The Content-MD5 you specified did not match what we received. Compute it from the bytes that you send.',
      {
        fields: { ExpectedDigest: value, CalculatedDigest: toBase64(actual) },
      },
    )
  })
}

/** Reads x-amz-content-sha256, which may be UNSIGNED-PAYLOAD, since a presigned URL does not sign the body. */
function contentSha256(incoming: Incoming): AnnouncedChecksum | undefined {
  const value = incoming.header('x-amz-content-sha256')
  if (value === undefined || value === 'UNSIGNED-PAYLOAD') return undefined
  if (!/^[\da-f]{64}$/i.test(value)) {
    throw invalidHeader('x-amz-content-sha256', 'Send UNSIGNED-PAYLOAD or 64 hexadecimal digits.')
  }
  return announcedChecksum('sha256', fromHex(value), () => {
    const what =
      "The provided 'x-amz-content-sha256' header does not match what was computed. Compute it from the bytes that you send, or send UNSIGNED-PAYLOAD."
    return new StorageError('XAmzContentSHA256Mismatch', what)
  })
}

function amzChecksum(incoming: Incoming): AnnouncedChecksum | undefined {
  const names = [...algorithms, ...unsupported]
  const sent = names.filter((name) => incoming.header(`x-amz-checksum-${name}`) !== undefined)
  const [name] = sent
  mustNameAlgorithm(incoming.header('x-amz-sdk-checksum-algorithm'), names, name)
  if (name === undefined) return undefined
  if (sent.length > 1) {
    const what = 'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed. Send one of them.'
    throw new StorageError('InvalidRequest', what)
  }
  const header = `x-amz-checksum-${name}`
  const algorithm = algorithms.find((one) => one === name)
  if (!algorithm) throw notImplemented(header)
  const { bytes } = checksumAlgorithms[algorithm]
  const expected = fromBase64(incoming.header(header) ?? '', bytes)
  if (!expected) throw invalidHeader(header, `Send the base64 of the ${bytes} bytes of the checksum.`)
  return announcedChecksum(algorithm, expected, (actual) => {
    const what = `The ${name.toUpperCase()} you specified did not match the calculated checksum, ${toBase64(actual)}. Compute it from the bytes that you send.`
    return new StorageError('BadDigest', what)
  })
}

function mustNameAlgorithm(value: string | undefined, names: readonly string[], sent: string | undefined): void {
  const header = 'x-amz-sdk-checksum-algorithm'
  if (value === undefined) return
  if (!names.includes(value.toLowerCase())) {
    const known = names.map((name) => name.toUpperCase()).join(', ')
    const what = `Checksum algorithm provided is unsupported. Please try again with any of the valid types: [${known}]`
    throw new StorageError('InvalidRequest', what)
  }
  if (sent === undefined) {
    throw new StorageError(
      'InvalidRequest',
      `${header} specified, but no corresponding x-amz-checksum-* header was found. Send the checksum too, or leave the algorithm out.`,
    )
  }
  if (value.toLowerCase() !== sent) throw invalidHeader(header, 'Name the algorithm of the x-amz-checksum- header.')
}

function announcedChecksum(
  algorithm: AlgorithmName,
  expected: Uint8Array,
  mismatch: (actual: Uint8Array) => StorageError,
): AnnouncedChecksum {
  const { create }: ChecksumAlgorithm = checksumAlgorithms[algorithm]
  const checksum = create?.()
  return {
    algorithm,
    ...(checksum && { checksum }),
    mustMatch(writer) {
      const actual = checksum?.digest() ?? fromHex(algorithm === 'crc32' ? writer.crc32() : writer.sha256())
      if (expected.some((byte, at) => byte !== actual[at])) throw mismatch(actual)
    },
  }
}

function invalidHeader(header: string, advice: string): StorageError {
  return new StorageError('InvalidRequest', `Value for ${header} header is invalid. ${advice}`)
}

/** Creates the error for a header that S3 or this mock does not support in a PUT. */
export function notImplemented(header: string): StorageError {
  const what = `A header you provided implies functionality that is not implemented. Leave ${header} out.`
  return new StorageError('NotImplemented', what, { fields: { Header: header } })
}

/** Decodes base64. Returns undefined unless the text encodes exactly `bytes` bytes. */
function fromBase64(text: string, bytes: number): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const decoded = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  return decoded.byteLength === bytes ? decoded : undefined
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
