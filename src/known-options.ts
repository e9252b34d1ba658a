/** Throws a `TypeError` for an option that does not exist. TypeScript finds it as well; JavaScript would ignore it. */
export function requireKnownOptions(options: object, known: Readonly<Record<string, true>>): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue
    const names = Object.keys(known)
    const meant = names.find((one) => one.toLowerCase() === name.toLowerCase())
    const cure = meant ? `Did you mean '${meant}'?` : `Use one of ${names.join(', ')}.`
    throw new TypeError(`Unknown option '${name.slice(0, 100)}'. ${cure}`)
  }
}
