import type { ComponentChildren } from 'preact'
import { go } from '../live/live.ts'
import type { View } from '../live/route.ts'
import { Dialog, Field } from './basics.tsx'

/** A dialog that asks for the key of a tenant, makes a call with it, and shows the tenant. */
export function KeyDialog(props: {
  readonly title: string
  readonly action: string
  readonly label: string
  readonly proposed: string
  /** The view that shows the tenant; the present one if left out. */
  readonly view?: View
  readonly onKey: (key: string, entered: FormData) => Promise<{ readonly tenant_id: string }>
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const { label, proposed, view, onKey, children, ...dialog } = props
  const submit = async (entered: FormData) => {
    const { tenant_id: tenant } = await onKey(String(entered.get('key')), entered)
    go({ tenant, ...(view && { view }) })
  }
  return (
    <Dialog {...dialog} onSubmit={submit}>
      {children}
      <Field label={label} name="key" defaultValue={proposed} />
    </Dialog>
  )
}
