import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file that says whose a folder of objects is. */
export const owner = 'countersign-objects.txt'

/** Returns the paths of the files in a folder of objects, without that of its owner: in place, and moved aside. */
export function filesIn(folder: string) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== owner)
    .map((one) => join(one.parentPath, one.name))
    .sort()
  const isAside = (path: string) => path.startsWith(join(folder, 'aside/'))
  return { inPlace: files.filter((path) => !isAside(path)), aside: files.filter(isAside) }
}

/** Returns what is in the files of a folder of objects: in place, and moved aside. */
export function contentsIn(folder: string) {
  const { inPlace, aside } = filesIn(folder)
  const textsOf = (paths: string[]) => paths.map((path) => readFileSync(path, 'utf8')).sort()
  return { inPlace: textsOf(inPlace), aside: textsOf(aside) }
}
