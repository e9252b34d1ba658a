/** Creates an element of a page. */
export function create(name: string, text = '', properties: Readonly<Record<string, string>> = {}): HTMLElement {
  const element = document.createElement(name)
  element.textContent = text
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value)
  return element
}
