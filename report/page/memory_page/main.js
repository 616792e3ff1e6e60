// Draws the page.

drawFit();
drawChanges();
drawPasses();
drawTimelines();
drawGroups();
drawMemoryMap();
drawTables();
root.dataset.ready = '';
