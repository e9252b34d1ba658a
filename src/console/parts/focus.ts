import { useCallback, useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Keeps the focus of the keyboard near a button that disappears when it has done its work. Returns a ref for the element around such
 * buttons, and a function to call before the work, and with false if it has failed: when the button is gone, the focus moves to the
 * next main button inside, or to the element with a `tabindex` of -1 that says how it ended. Without it, the browser would begin again
 * at the top.
 */
export function useFocusAfter<Box extends HTMLElement>(isLostAlready = false) {
  const box = useRef<Box>(null)
  const isDue = useRef(isLostAlready)
  useLayoutEffect(() => {
    // What the work disables keeps the focus for a moment.
    if (!isDue.current || !document.activeElement?.matches('body, :disabled')) return
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector)
    const target = find('button.primary:enabled') ?? find('[tabindex="-1"]')
    target?.focus()
    isDue.current = !target
  })
  const expectLoss = useCallback((isExpected: boolean) => {
    isDue.current = isExpected
  }, [])
  return { box, expectLoss }
}
