import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useShared } from '../live/hooks.ts'
import { Dialog, Field } from './basics.tsx'

/** A button that asks for the key of a tenant, makes a call with it, and shows the tenant. */
export function KeyDialog(props: {
  readonly button: string
  readonly title: string
  readonly action: string
  readonly label: string
  /** The key that is proposed. */
  readonly first: string
  readonly onKey: (key: string) => Promise<{ readonly tenant_id: string }>
  readonly children: ComponentChildren
}) {
  const { button, title, action, label, first, onKey, children } = props
  const { go, attempt } = useShared()
  const [isOpen, setOpen] = useState(false)
  const [key, setKey] = useState(first)
  const submit = () =>
    attempt(async () => {
      const { tenant_id: tenant } = await onKey(key)
      go({ tenant, view: 'executions' })
    })
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {button}
      </button>
      {isOpen && (
        <Dialog {...{ title, action }} onClose={() => setOpen(false)} onSubmit={submit}>
          {children}
          <Field label={label} value={key} onInput={setKey} />
        </Dialog>
      )}
    </>
  )
}
