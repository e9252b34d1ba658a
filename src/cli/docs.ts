import { cp, mkdir, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { writeLike } from './docs-like.ts'
import { exit } from './exit.ts'
import { readProfileFile } from './profile-file.ts'

/** The folder into which the build writes the documentation; the path is the same from the bundled command line. */
export const docsFolder = fileURLToPath(new URL('../../dist/docs', import.meta.url))

/** Creates `countersign docs`, which copies the documentation from the build. */
export function docsCommand(done: (code: number) => void): Command {
  return new Command('docs')
    .description('Write the documentation as pages that need no network. A running mock serves them at /docs.')
    .option(
      '--out <dir>',
      'folder to write to; created if it does not exist; pages of the same name are replaced',
      'docs-site',
    )
    .option('--like <file>', 'show the answers of the deployment of a profile that countersign learn has written')
    .action(async ({ out, like }: { out: string; like?: string }) => {
      const profile = like === undefined ? undefined : await readProfileFile(like, '--like')
      const names = await writeDocs(out)
      if (profile) names.push(...(await writeLike(out, profile)))
      process.stdout.write(`Wrote ${names.join(', ')} into ${out}. Open ${out}/index.html.\n`)
      done(exit.ok)
    })
}

async function writeDocs(folder: string): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true })
    await cp(docsFolder, folder, { recursive: true })
    return await readdir(docsFolder)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The documentation cannot be written to ${folder}: ${why}. Choose another folder with --out.`)
  }
}
