import type { ProductOnSale } from '../data/products.ts'

/** A document that is generated, in whole or in part, from the manifest, the products, the samples or an emulator's endpoints. */
export interface GeneratedDocument {
  readonly file: URL
  readonly text: string
}

/**
 * The modules that take a part of `infra/data/products.ts` to where it is needed: lib imports nothing of infra, a Lambda needs no German, and
 * a browser loads one language.
 */
export function productModules(products: Readonly<Record<string, ProductOnSale>>): GeneratedDocument[] {
  const make = (path: string, name: string, partOf: (product: ProductOnSale) => string, end = '') => ({
    file: new URL(`../../${path}`, import.meta.url),
    text: [
      '// Generated from infra/data/products.ts by `npm run products`.',
      `export const ${name} = {`,
      ...Object.entries(products).map(([code, product]) => line(code, partOf(product))),
      `}${end}`,
      '',
    ].join('\n'),
  })
  const texts = 'infra/console/src/texts'
  return [
    make('lib/billing/planCodes.ts', 'planCodes', ({ planCode }) => planCode, ' as const'),
    make('infra/console/src/billing/products/productIcons.ts', 'productIcons', ({ icon }) => icon, ' as const'),
    make(`${texts}/en/productDescriptions.ts`, 'productDescriptions', ({ description }) => description.en),
    make(`${texts}/de/productDescriptions.ts`, 'productDescriptions', ({ description }) => description.de),
  ]
}

/** A line of at most 120 characters, as the formatter writes it. */
function line(code: string, value: string): string {
  const literal = value.includes("'") && !value.includes('"') ? JSON.stringify(value) : quoted(value)
  const whole = `  ${code}: ${literal},`
  return whole.length > 120 ? `  ${code}:\n    ${literal},` : whole
}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
