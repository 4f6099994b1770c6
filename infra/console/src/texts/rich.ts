import { createElement, Fragment, type ReactNode } from 'react'

/** A sentence with elements in it: rich`It works until ${<strong>{day}</strong>}.` */
export function rich(strings: TemplateStringsArray, ...values: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...strings.flatMap((text, index) => [text, values[index]]))
}
