// 指南的中文文字。

export default {
  'guide.title': '指南',
  'guide.title.page': '指南 · 拼图',
  'guide.away': '指南没能载入：服务器没有响应。',
};
