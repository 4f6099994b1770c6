import { type RefObject, useEffect, useState } from 'react'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'

interface OrderBarProps {
  /** How many products are to be bought. */
  readonly count: number
  /** What is due now, as text; undefined until it is known. */
  readonly total: string | undefined
  /** What has the button that pays: the bar leads there, and hides while that button is seen. */
  readonly target: RefObject<HTMLElement | null>
}

/** On a phone, the order at the lower edge while its form is out of sight: how many products, for how much. It buys nothing by itself. */
export function OrderBar({ count, total, target }: OrderBarProps) {
  const { orders } = useTexts()
  const [isTargetSeen, setTargetSeen] = useState(true)
  useEffect(() => {
    const watched = target.current
    if (watched === null) return
    const observer = new IntersectionObserver(([entry]) => setTargetSeen(entry?.isIntersecting ?? true))
    observer.observe(watched)
    return () => observer.disconnect()
  }, [target])
  if (isTargetSeen || total === undefined) return null

  function lead(): void {
    target.current?.scrollIntoView({ block: 'center' })
    target.current?.querySelector('button')?.focus({ preventScroll: true })
  }

  return (
    <div className="order-bar">
      <Button kind="primary" wide onClick={lead}>
        {orders.bar(count, total)}
      </Button>
    </div>
  )
}
