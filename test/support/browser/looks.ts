const desktop = { width: 1280, height: 800 }
const phone = { width: 375, height: 740 }

/** How a page is looked at: both layouts, each in both schemes. */
export const looks = [
  { name: 'desktop-light', viewport: desktop, colorScheme: 'light' },
  { name: 'desktop-dark', viewport: desktop, colorScheme: 'dark' },
  { name: 'phone-light', viewport: phone, colorScheme: 'light' },
  { name: 'phone-dark', viewport: phone, colorScheme: 'dark' },
] as const

/** Both layouts and both schemes, in two looks; all four where pictures are taken. */
export const examinedLooks = process.env.SCREENSHOTS === undefined ? ([looks[0], looks[3]] as const) : looks
