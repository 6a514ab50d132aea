// Pictures: built-in ones that can be told apart, a player's own with EXIF rotation, crop, paste, drop, and what cannot be read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, ONE_LEFT, PHONE, atRest, game, noticed, pressNotice, ready, resize, scramble, stage, standIn, still, until, visit } from './harness.mjs';

const held = stage();

/** A JPEG of 240×120, the left half red and the right half blue. */
async function twoColours(page) {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [240, 120];
    const ctx = canvas.getContext('2d');
    ctx.fillStyle = '#ff0000';
    ctx.fillRect(0, 0, 120, 120);
    ctx.fillStyle = '#0000ff';
    ctx.fillRect(120, 0, 120, 120);
    return canvas.toDataURL('image/jpeg', 0.95).split(',')[1];
  });
  return Buffer.from(base64, 'base64');
}

/** The same file with an EXIF orientation, and a GPS mark that must not survive. */
function withOrientation(jpeg, orientation) {
  const tiff = Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
  const body = Buffer.concat([Buffer.from('Exif\0\0'), tiff, Buffer.from('GPS-SECRET')]);
  const head = Buffer.from([0xff, 0xe1, (body.length + 2) >> 8, (body.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** The colours of the current picture at four places. */
const colours = (page) => page.evaluate(async () => {
  const { pictureUrl } = await packed('js/pictures.js');
  const session = await packed('js/session.js');
  const { url } = await pictureUrl(session.current().picture);
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  const ctx = canvas.getContext('2d', { willReadFrequently: true });
  ctx.drawImage(image, 0, 0);
  const name = (x, y) => {
    const [r, , b] = ctx.getImageData(x * image.width, y * image.height, 1, 1).data;
    return r > b ? 'red' : 'blue';
  };
  return { size: [image.width, image.height], top: name(0.5, 0.1), bottom: name(0.5, 0.9), left: name(0.1, 0.5), right: name(0.9, 0.5) };
});

test('no two pieces of a built-in picture look alike, even at 10×10', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  const closest = await page.evaluate(async () => {
    const { PAINTINGS, paintBuiltin } = await packed('js/pictures.js');
    const { difference, grains } = await packed('js/lookalike.js');
    const result = {};
    for (const name of PAINTINGS) {
      const parts = grains(await paintBuiltin(name, 1024), 10, 10);
      let least = Infinity;
      for (let a = 0; a < 100; a += 1) for (let b = a + 1; b < 100; b += 1) least = Math.min(least, difference(parts[a], parts[b]));
      result[name] = least;
    }
    return result;
  });
  assert.ok(Object.keys(closest).length >= 4);
  for (const [name, least] of Object.entries(closest)) assert.ok(least > 4.5, `${name}: two pieces differ by ${least.toFixed(1)} of 255 only`);
  assert.deepEqual(problems, []);
});

test('every built-in picture can be chosen, also in the middle of a game', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.keyboard.press('1');
  await page.keyboard.press('n');
  const { tiles } = await game(page);
  for (const name of ['mist', 'night', 'spring', 'pond', 'panda', 'glaze', 'rows', 'dawn']) {
    await page.click('#more-pictures');
    await page.click(`dialog [data-picture=${name}]`);
    assert.equal((await game(page)).picture, `builtin:${name}`);
  }
  assert.deepEqual((await game(page)).tiles, tiles);
  assert.deepEqual(problems, []);
});

for (const [orientation, expected] of [[1, { left: 'red', right: 'blue' }], [6, { top: 'red', bottom: 'blue' }], [3, { left: 'blue', right: 'red' }], [8, { top: 'blue', bottom: 'red' }]]) {
  test(`a photograph with EXIF orientation ${orientation} comes out upright, once`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url);
    await page.click('#more-pictures');
    const buffer = withOrientation(await twoColours(page), orientation);
    await page.setInputFiles('#picture-file', { name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
    await page.click('#crop-use');
    await page.waitForFunction(() => !document.querySelector('dialog'));
    const found = await colours(page);
    for (const [side, colour] of Object.entries(expected)) assert.equal(found[side], colour, side);
    assert.deepEqual(found.size, [1024, 1024]);
    await page.keyboard.press('1');
    await scramble(page, ONE_LEFT, (await game(page)).picture);
    await page.keyboard.press('ArrowRight');
    const list = async () => (await page.request.get(`${held.server.url}api/saves`)).json();
    await until(async () => (await list()).some(({ picture }) => !picture.startsWith('builtin:')));
    const [save] = await list();
    const stored = await (await page.request.get(`${held.server.url}api/pictures/${save.picture}`)).body();
    assert.equal(stored.includes('GPS-SECRET'), false, 'nothing hidden in the file is kept');
    assert.deepEqual(problems, []);
    });
}

test('crop: zoom with wheel and keys, drag, turn', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.click('#more-pictures');
  await page.setInputFiles('#picture-file', { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await twoColours(page) });
  await page.focus('#crop-stage');
  await still(page);
  const box = await page.locator('#crop-stage').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 1.2, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await page.mouse.wheel(0, -400);
  await page.keyboard.press('+');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  const found = await colours(page);
  assert.deepEqual([found.top, found.bottom, found.left, found.right], ['red', 'red', 'red', 'red'], 'dragged to the red half');
  assert.deepEqual(problems, []);
});

test('pinch zooms the crop', async () => {
  const { page, problems, context } = await visit(held.browser, held.server.url, { ...DESKTOP, hasTouch: true });
  await page.click('#more-pictures');
  await page.setInputFiles('#picture-file', { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await twoColours(page) });
  await page.waitForSelector('#crop-stage');
  await still(page);
  const box = await page.locator('#crop-stage').boundingBox();
  const cdp = await context.newCDPSession(page);
  const at = (spread) => [{ x: box.x + box.width / 2 - spread, y: box.y + 150, id: 1 }, { x: box.x + box.width / 2 + spread, y: box.y + 150, id: 2 }];
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(30) });
  for (const spread of [50, 70, 90]) await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(spread) });
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.waitForFunction(() => Number(document.querySelector('#cropper input[type=range]').value) > 1);
  assert.deepEqual(problems, []);
});

test('paste and drop open the crop; the camera input asks for the camera', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  const buffer = [...(await twoColours(page))];
  const give = (type) => page.evaluate(({ bytes, name }) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(bytes)], 'pasted.jpg', { type: 'image/jpeg' }));
    const event = name === 'paste' ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true }) : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
  }, { bytes: buffer, name: type });
  for (const type of ['paste', 'drop']) {
    await give(type);
    await page.click('#crop-use');
    await page.waitForFunction(() => !document.querySelector('dialog'));
    assert.doesNotMatch((await game(page)).picture, /^builtin/);
    await page.click('#thumbs [data-picture=dawn]');
  }
  await page.click('#more-pictures');
  assert.equal(await page.getAttribute('#picture-camera', 'capture'), 'environment');
  await page.waitForFunction(() => document.querySelectorAll('.recent-pictures .thumb').length === 2);
  assert.deepEqual(problems, []);
});

test('a file that cannot be read is named, with what to do', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.click('#more-pictures');
  await page.setInputFiles('#picture-file', { name: 'IMG_0042.heic', mimeType: 'image/heic', buffer: Buffer.from('not really') });
  await page.waitForSelector('#picture-error:not([hidden])');
  const text = await page.textContent('#picture-error');
  for (const word of ['IMG_0042.heic', 'HEIC', 'JPEG']) assert.ok(text.includes(word), text);
  await page.setInputFiles('#picture-file', { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not at all') });
  await page.waitForFunction(() => document.getElementById('picture-error').textContent === '“notes.txt” is not a picture.');
  const whole = await twoColours(page);
  const png = Buffer.from(await page.evaluate(() => document.createElement('canvas').toDataURL('image/png').split(',')[1]), 'base64');
  for (const [name, kind, file, end] of [['half.jpg', 'JPEG', whole, whole.length >> 1], ['most.jpg', 'JPEG', whole, -40], ['end.jpg', 'JPEG', whole, -2], ['most.png', 'PNG', png, -20]]) {
    await page.setInputFiles('#picture-file', { name, mimeType: `image/${kind.toLowerCase()}`, buffer: file.subarray(0, end) });
    await page.waitForFunction((said) => document.getElementById('picture-error')?.textContent.startsWith(said), `“${name}” should be ${kind}, but cannot be read: it is damaged`);
  }
  // A preview inside a photo has an end of its own; what comes after the photo's is none of our business.
  const preview = withOrientation(whole, 1);
  preview.set([0xff, 0xd9], preview.indexOf('GPS-SECRET'));
  await page.setInputFiles('#picture-file', { name: 'cut.jpg', mimeType: 'image/jpeg', buffer: preview.subarray(0, -2) });
  await page.waitForFunction(() => document.getElementById('picture-error').textContent.startsWith('“cut.jpg”'));
  await page.setInputFiles('#picture-file', { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.concat([preview, Buffer.from('more')]) });
  await page.waitForSelector('#crop-use');
  assert.deepEqual(problems, []);
});

test('a see-through picture lies on paper, also when it is cropped anew', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, colorScheme: 'dark' });
  const clear = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [300, 300];
    canvas.getContext('2d').fillRect(0, 0, 300, 150);
    return canvas.toDataURL('image/png').split(',')[1];
  });
  await page.click('#more-pictures');
  await page.setInputFiles('#picture-file', { name: 'seal.png', mimeType: 'image/png', buffer: Buffer.from(clear, 'base64') });
  await page.click('#crop-use');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  const below = await page.evaluate(async () => {
    const { ownPictures } = await packed('js/album.js');
    const [{ blob, source }] = await ownPictures();
    return Promise.all([blob, source].map(async (file) => {
      const image = await createImageBitmap(file);
      const ctx = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }).getContext('2d');
      ctx.drawImage(image, 0, 0);
      return [...ctx.getImageData(image.width / 2, image.height * 0.75, 1, 1).data];
    }));
  });
  for (const colour of below) assert.ok([0xf6, 0xf3, 0xec].every((value, i) => Math.abs(colour[i] - value) < 8), `${colour}`);
  assert.deepEqual(problems, []);
});

test('a flat picture: numbers are offered, and a whole look is not a win', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.keyboard.press('1');
  await page.click('#more-pictures');
  const flat = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [300, 300];
    const ctx = canvas.getContext('2d');
    ctx.fillStyle = '#88aacc';
    ctx.fillRect(0, 0, 300, 300);
    return canvas.toDataURL('image/png').split(',')[1];
  });
  await page.setInputFiles('#picture-file', { name: 'sky.png', mimeType: 'image/png', buffer: Buffer.from(flat, 'base64') });
  await page.click('#crop-use');
  await noticed(page, /look alike/);
  await pressNotice(page);
  assert.equal(await page.getAttribute('#show-numbers', 'aria-pressed'), 'true');
  const { picture } = await game(page);
  const choose = (name) => page.evaluate(async (id) => (await packed('js/session.js')).setPicture(id), name);
  await page.locator('#show-numbers').evaluate((node) => node.click());
  await page.keyboard.press('2');
  await noticed(page, /look alike/);
  await choose('builtin:pond');
  assert.equal(await page.locator('.toast').count(), 0, 'it was said of another picture');
  await page.evaluate(async (flatOne) => {
    const session = await packed('js/session.js');
    const { Game } = await packed('js/game.js');
    session.open(new Game({ rows: 3, cols: 3, start: [2, 3, 1, 4, 5, 6, 7, 0, 8], picture: flatOne }));
  }, picture);
  await page.keyboard.press('ArrowLeft');
  await noticed(page, /looks whole/);
  assert.equal((await game(page)).phase, 'playing');
  const said = () => page.locator('.toast', { hasText: /look/ }).count();
  await page.keyboard.press('ArrowRight');
  assert.equal(await said(), 0, 'it does not look whole any more');
  // What is known of one picture is not said of the next, whose pieces are looked at a little later.
  await page.evaluate(async () => {
    const session = await packed('js/session.js');
    const { Game } = await packed('js/game.js');
    session.open(new Game({ rows: 3, cols: 3, start: [3, 1, 2, 4, 5, 6, 7, 0, 8], picture: 'builtin:pond' }));
    session.play('R');
  });
  assert.equal(await said(), 0, 'the pond has no two pieces alike');
  assert.deepEqual(problems, []);
});

test('the page opens with its picture after a reload', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.click('#more-pictures');
  await page.setInputFiles('#picture-file', { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await twoColours(page) });
  await page.click('#crop-use');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  await page.reload();
  await ready(page);
  assert.equal((await colours(page)).left, 'red');
  assert.deepEqual(problems, []);
});

test('a photo that is cropped again for another board stays with the game that was put aside; the board keeps its gap and its wraps', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await atRest(page);
  await resize(page, 4, 4, async () => {
    await page.click('#blank-grid button:nth-child(4)');
    await page.click('dialog summary');
    await page.locator('.wrap-grid input').first().check();
  });
  await page.click('#more-pictures');
  await page.setInputFiles('#picture-file', { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await twoColours(page) });
  await page.click('#crop-use');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  await page.click('#shuffle');
  await held.server.kill();
  // Wherever the gap is, one of the two moves a tile.
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  const before = await game(page);
  assert.ok(before.moves.length > 0);
  await page.click('#more-pictures');
  await page.click('.own-picture .recrop');
  await page.click('#crop-shapes button:nth-child(2)');
  await page.click('#crop-use');
  await page.waitForFunction(() => document.body.dataset.phase === 'whole');
  const next = await game(page);
  assert.ok(next.rows !== next.cols && next.picture !== before.picture);
  assert.deepEqual([next.blank, next.wrap_rows], [next.cols - 1, [0]], 'the same corner, and what wraps');
  const has = (id) => page.evaluate(async (one) => Boolean(await (await packed('js/store.js')).get('pictures', one)), id);
  assert.ok(await has(before.picture), 'the game that was put aside has its picture');
  await page.keyboard.press('u');
  await until(async () => (await game(page)).picture === before.picture, 'it comes back');
  assert.equal((await colours(page)).left, 'red');
  assert.deepEqual(problems, []);
});

test('only pictures that are seen are painted, and the one on the table once', async () => {
  const script = () => {
    const { getContext } = HTMLCanvasElement.prototype;
    window.painted = 0;
    HTMLCanvasElement.prototype.getContext = function counted(...how) {
      if (this.width === 1024 && !this.isConnected) window.painted += 1;
      return getContext.apply(this, how);
    };
  };
  const { page, problems } = await visit(held.browser, held.server.url, { ...PHONE, leisurely: true }, script);
  const paintings = () => page.evaluate(() => performance.getEntriesByType('resource').flatMap(({ name }) => /paint\/(dawn|mist|night|spring|pond)\.js/.exec(name)?.[1] ?? []).sort());
  const isShown = (selector) => page.waitForFunction((one) => /url/.test(document.querySelector(one)?.style.backgroundImage ?? ''), selector);
  await atRest(page);
  await isShown('#thumbs [data-picture=dawn]');
  assert.deepEqual([await paintings(), await page.evaluate(() => window.painted)], [['dawn'], 1], 'there is room for one');
  await page.setViewportSize({ width: 768, height: 1024 });
  for (const name of ['mist', 'night', 'spring']) await isShown(`#thumbs [data-picture=${name}]`);
  assert.deepEqual(await paintings(), ['dawn', 'mist', 'night', 'spring']);
  await page.click('#more-pictures');
  await isShown('dialog [data-picture=pond]');
  assert.deepEqual(problems, []);
});

test('a picture that cannot be fetched is said, and painted when it comes', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  const shown = () => page.evaluate(() => document.getElementById('goal').style.backgroundImage);
  await until(shown);
  const before = await shown();
  const hear = await standIn(page, /paint\/pond\.js/, (route) => route.abort());
  await page.evaluate(async () => (await packed('js/session.js')).setPicture('builtin:pond'));
  await noticed(page, /cannot be loaded: the file did not arrive completely/);
  assert.equal(await shown(), before);
  hear();
  await pressNotice(page);
  await until(async () => (await shown()) !== before, 'it is painted');
  assert.deepEqual(problems, []);
});

test('the lines along which a picture is cut are seen on every colour', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  // Grey of every shade: a line that inverts what it lies on is not seen on the middle one.
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [512, 512];
    const ctx = canvas.getContext('2d');
    for (let x = 0; x < 512; x += 1) { ctx.fillStyle = `rgb(${[0, 0, 0].fill(Math.floor(x / 2))})`; ctx.fillRect(x, 0, 1, 512); }
    return canvas.toDataURL('image/png').split(',')[1];
  });
  await page.click('#more-pictures');
  await page.locator('dialog[open] input[type=file]').first().setInputFiles({ name: 'grey.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') });
  await page.waitForSelector('.crop-stage');
  await still(page);
  const box = await page.locator('.crop-stage').boundingBox();
  const faintest = await page.evaluate(async (shot) => {
    const image = new Image();
    image.src = `data:image/png;base64,${shot}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const ctx = canvas.getContext('2d');
    ctx.drawImage(image, 0, 0);
    // Around the line half way down: the greatest step of brightness in each column, but where other lines cross it.
    const [top, height] = [Math.round(image.height / 2) - 6, 12];
    const { data } = ctx.getImageData(0, top, image.width, height);
    const at = (x, y) => data[(y * image.width + x) * 4];
    const between = Array.from({ length: image.width }, (_, x) => x).filter((x) => Math.abs(((x / image.width) * 4) % 1 - 0.5) < 0.45);
    return Math.min(...between.map((x) => Math.max(...Array.from({ length: height - 1 }, (_, y) => Math.abs(at(x, y + 1) - at(x, y))))));
  }, (await page.screenshot({ clip: box })).toString('base64'));
  assert.ok(faintest >= 60, `a step of ${faintest} of 255`);
  assert.deepEqual(problems, []);
});
