// A sheet that is drawn on like a canvas and becomes a drawing of lines and shapes: what is exported is what the page
// draws, by the same hands. It knows what maps and trees are drawn with, and nothing more.

const round = (value) => Number(value.toFixed(2));
const xml = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
const ANCHORS = { left: 'start', center: 'middle', right: 'end' };
const BASELINES = { top: 'hanging', middle: 'central' };

export function svgSheet() {
  const parts = [];
  let [d, dash] = ['', ''];
  const alpha = (kind) => (sheet.globalAlpha < 1 ? ` ${kind}-opacity="${round(sheet.globalAlpha)}"` : '');
  const stroked = () => `stroke="${sheet.strokeStyle}" stroke-width="${round(sheet.lineWidth)}"${alpha('stroke')}${dash}${sheet.lineJoin === 'round' ? ' stroke-linejoin="round" stroke-linecap="round"' : ''}`;
  const filled = () => `fill="${sheet.fillStyle}"${alpha('fill')}`;
  const word = (text, x, y, style) => parts.push(`<text x="${round(x)}" y="${round(y)}" text-anchor="${ANCHORS[sheet.textAlign]}" dominant-baseline="${BASELINES[sheet.textBaseline]}" style="font:${sheet.font}" ${style}>${xml(text)}</text>`);

  const sheet = {
    fillStyle: '#000000', strokeStyle: '#000000', lineWidth: 1, globalAlpha: 1, font: '10px sans-serif', textAlign: 'left', textBaseline: 'top', lineJoin: 'miter', lineCap: 'butt', imageSmoothingEnabled: false,
    beginPath() { d = ''; },
    moveTo(x, y) { d += `M${round(x)} ${round(y)}`; },
    lineTo(x, y) { d += `L${round(x)} ${round(y)}`; },
    closePath() { d += 'Z'; },
    rect(x, y, width, height) { d += `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}Z`; },
    /** Only whole circles are drawn. */
    arc(x, y, radius) { d += `M${round(x - radius)} ${round(y)}a${round(radius)} ${round(radius)} 0 1 0 ${round(2 * radius)} 0a${round(radius)} ${round(radius)} 0 1 0 ${round(-2 * radius)} 0Z`; },
    stroke() { if (d) parts.push(`<path d="${d}" fill="none" ${stroked()}/>`); },
    fill() { if (d) parts.push(`<path d="${d}" ${filled()}/>`); },
    strokeText(text, x, y) { word(text, x, y, `fill="none" ${stroked()}`); },
    fillText(text, x, y) { word(text, x, y, filled()); },
    setLineDash(list) { dash = list.length ? ` stroke-dasharray="${list.join(' ')}"` : ''; },
    /** A sheet is drawn on once, from its beginning. */
    clearRect() {},
    /** A picture of a pixel a cell: one rectangle for as many as are alike in a row. */
    drawImage(canvas, x, y, width, height) { parts.push(...rectangles(canvas, x, y, width / canvas.width, height / canvas.height)); },
    /** All that was drawn. */
    get text() { return parts.join(''); },
  };
  return sheet;
}

function* rectangles(canvas, x, y, wide, high) {
  // A copy is read, so that the picture itself stays where it is drawn from quickly.
  const copy = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true }));
  copy.drawImage(canvas, 0, 0);
  const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  for (let row = 0; row < canvas.height; row += 1) {
    for (let col = 0, end = 0; col < canvas.width; col = end) {
      const pixel = pixels[row * canvas.width + col];
      for (end = col + 1; end < canvas.width && pixels[row * canvas.width + end] === pixel;) end += 1;
      if (pixel >>> 24) yield `<rect x="${round(x + col * wide)}" y="${round(y + row * high)}" width="${round((end - col) * wide)}" height="${round(high)}" ${ink(pixel)}/>`;
    }
  }
}

/** A pixel's colour, as it is filled with. */
function ink(pixel) {
  const hex = [0, 8, 16].map((shift) => ((pixel >>> shift) & 255).toString(16).padStart(2, '0')).join('');
  const opacity = (pixel >>> 24) / 255;
  return `fill="#${hex}"${opacity < 1 ? ` fill-opacity="${round(opacity)}"` : ''}`;
}
