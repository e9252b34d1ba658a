import { cp, mkdir, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { exit } from './exit.ts'

/** Where the build puts the documentation; the same from here as from the bundled command line. */
export const docsFolder = fileURLToPath(new URL('../../dist/docs', import.meta.url))

/** `countersign docs`: copies the documentation, which the build has made, to where it is wanted. */
export function docsCommand(done: (code: number) => void): Command {
  return new Command('docs')
    .description('Write the documentation as pages that need no network; a running mock has them at /docs.')
    .option(
      '--out <dir>',
      'folder to write them into; it is made if need be, and pages of the same name are replaced',
      'docs-site',
    )
    .action(async ({ out }: { out: string }) => {
      const names = await written(out)
      process.stdout.write(`Wrote ${names.join(', ')} into ${out}. Open ${out}/index.html.\n`)
      done(exit.ok)
    })
}

async function written(folder: string): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true })
    await cp(docsFolder, folder, { recursive: true })
    return await readdir(docsFolder)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`Failed to write the documentation into ${folder}: because ${why}. Name another folder with --out.`)
  }
}
