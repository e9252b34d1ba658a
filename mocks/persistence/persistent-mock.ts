import { ArchiveError, createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { type Answering, answeringWith, refusing } from '../../src/mock.ts'
import { openPageArchive, type Persistence } from './open-page-archive.ts'
import type { PageArchive } from './page-archive.ts'

/** A mock, and the archive that keeps its state unless another page does. */
interface Opened {
  readonly mock: Mock
  readonly archive: PageArchive | undefined
}

/**
 * Creates a mock whose state is stored in the browser. Each answer waits until its effect is stored. If that fails, the mock continues
 * from what is stored, and the request is answered again: reading works, and what would have to be stored is refused.
 */
export function persistentMock(where: Persistence, name: string, options: MockOptions): Answering {
  let opening: Promise<Opened> | undefined
  const open = () => {
    opening ??= openMock(where, name, options).catch((error: unknown) => {
      // The next request tries again.
      opening = undefined
      throw error
    })
    return opening
  }
  open().catch(isToldByRequests)
  let answering: Answering = async (request, basePath) => {
    const { mock, archive } = await open()
    answering = archive ? answerAfterStoring(mock, archive) : answeringWith(mock)
    return answering(request, basePath)
  }
  return async (request, basePath) => {
    try {
      return await answering(request, basePath)
    } catch (error) {
      if (error instanceof ArchiveError) return refusing(error)(request)
      throw error
    }
  }
}

async function openMock(where: Persistence, name: string, options: MockOptions): Promise<Opened> {
  // biome-ignore lint/suspicious/noConsole: the developer of the page looks at the console, and the page shows nothing else
  const warn = (message: string) => console.warn(message)
  const archive = await openPageArchive(where, name)
  if (!archive) warn(`Another page stores the state of '${name}', so this page loses it on reload. Close one of them.`)
  return { archive, mock: createMock({ onWarning: warn, ...options, ...(archive && { archive }) }) }
}

/** Answers requests with a mock once their effects are stored in its archive. */
function answerAfterStoring(mock: Mock, archive: PageArchive): Answering {
  const send = answeringWith(mock)
  const running = new Set<Promise<unknown>>()
  let returning: Promise<void> | undefined

  /** Returns the answer of the mock, and whether all that it rests on is stored. */
  async function attempt(request: Request, basePath: string): Promise<{ answer: Response; isStored: boolean }> {
    const { failure } = archive
    const answering = send(request, basePath)
    const ended = answering.then(() => {}, isToldByRequests)
    running.add(ended)
    const answer = await answering.finally(() => running.delete(ended))
    await archive.settled()
    return { answer, isStored: archive.failure === failure }
  }

  /** Returns to what is stored, if something could not be. Rejects with an `ArchiveError` if that cannot be read. */
  async function returnToStored(): Promise<void> {
    if (!archive.isBehind) return
    const reread = async () => {
      // What they would still store is refused.
      while (running.size > 0) await Promise.all(running)
      await archive.load()
      mock.tenants.rewind()
    }
    returning ??= reread().finally(() => {
      returning = undefined
    })
    await returning
  }

  return async (request, basePath) => {
    await returnToStored()
    if (request.method !== 'GET' && request.method !== 'HEAD') archive.tryAgain()
    const again = request.clone()
    const first = await attempt(request, basePath)
    if (first.isStored) return first.answer
    await returnToStored()
    const second = await attempt(again, basePath)
    if (second.isStored) return second.answer
    throw archive.failure
  }
}

/** Each request meets the error itself. */
function isToldByRequests(): void {}
