/** The browser that pages are measured in. */
import * as need from '../../scripts/lib/need.mjs'

export async function launchChromium() {
  const { chromium } = await import('@playwright/test')
  return chromium.launch({ executablePath: await need.chromium(), args: ['--no-sandbox'] })
}
