import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Returns where the build puts something. The package finds itself by its name, from the sources and from the bundle. */
export function built(path: string): URL {
  return new URL(`dist/${path}`, pathToFileURL(createRequire(import.meta.url).resolve('countersign/package.json')))
}

/** The folder of the documentation. */
export const docsFolder = fileURLToPath(built('docs'))

/** The folder of the console. */
export const consoleFolder = fileURLToPath(built('console'))
